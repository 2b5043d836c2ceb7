import CutieAPI
import Desktop
import Logging
import Store

/// What a person does with a pop-up: open, reply, mark read, dismiss.
final class Clicks {
    private let announcer: Announcer
    private let accounts: Accounts
    private let opener: Opener
    /// Who else shows pop-ups.
    private let others: [any PopupOwner]
    private let logger: Logger

    init(
        announcer: Announcer, accounts: Accounts, opener: Opener, others: [any PopupOwner], logger: Logger
    ) {
        (self.announcer, self.accounts, self.opener) = (announcer, accounts, opener)
        (self.others, self.logger) = (others, logger)
    }

    /// Handles events until it is cancelled. A program that starts slowly holds up no other click.
    func run(_ events: AsyncStream<PopupEvent>) async throws {
        await withDiscardingTaskGroup { group in
            for await event in events {
                do {
                    switch event {
                    case .action(let id, let name, let token):
                        guard let start = try act(name, on: id, token: token) else { continue }
                        group.addTask { await start() }
                    case .closed(let id, let reason):
                        try announcer.closed(id, how: reason.word, hasExpired: reason == .expired)
                        for other in others { try other.closed(id, because: reason) }
                    }
                } catch {
                    logger.error("a click on a pop-up failed", metadata: ["reason": "\(error)"])
                }
            }
        }
    }

    /// What is left to do and may take its time: a program to start.
    private func act(
        _ name: String, on id: UInt32, token: String?
    ) throws -> (@MainActor @Sendable () async -> Void)? {
        for other in others {
            if let start = try other.act(name, on: id) { return start }
        }
        if let items = announcer.notices[id] { return try act(name, onFailed: items, token: token) }
        guard let (account, conversation) = try target(of: id), let unit = accounts[account] else {
            return nil
        }
        let (opener, owner) = (opener, unit.account.name)
        switch name {
        case Announcer.Action.markRead:
            _ = try unit.outbox.read(conversation)
            return nil
        case Announcer.Action.reply:
            return { await opener.compose(conversation, account: owner, activationToken: token) }
        default:
            return { await opener.open(conversation, account: owner, activationToken: token) }
        }
    }

    /// On a pop-up that tells of what was not sent.
    private func act(
        _ name: String, onFailed items: [String], token: String?
    ) throws -> (@MainActor @Sendable () async -> Void)? {
        let failed = try accounts.items(of: items)
        guard name != Announcer.Action.retry else {
            for (unit, item) in failed { try unit.outbox.retry(item.id) }
            return nil
        }
        guard let (unit, item) = failed.first, let conversation = item.conversation else { return nil }
        return { [opener] in
            await opener.open(conversation, account: unit.account.name, activationToken: token)
        }
    }

    /// The conversation that a pop-up is about; of the summary, the newest one in it.
    private func target(of id: UInt32) throws -> (AccountID, Conversation.ID)? {
        switch announcer.live.key(of: id) {
        case .conversation(let account, let conversation): (account, conversation)
        case .summary where announcer.summarised > 0:
            try announcer.store.read { try $0.newestSummarised() }
        case .summary: nil
        case nil: nil
        }
    }
}

extension CloseReason {
    /// As the ledger tells it.
    fileprivate var word: String {
        switch self {
        case .expired: "expired"
        case .dismissed: "dismissed"
        case .byCall: "taken away"
        case .undefined: "gone"
        }
    }
}
