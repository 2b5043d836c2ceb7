import ControlAPI
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
                    case .reply(let id, let text): await take(text, typedInto: id)
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
            let link = DeepLink.conversation(
                conversation, account: owner, message: try newest(in: conversation, of: account, popup: id))
            return { await opener.compose(link, activationToken: token) }
        default:
            let link = DeepLink.conversation(
                conversation, account: owner, message: try firstUnread(in: conversation, of: account))
            return { await opener.open(link, activationToken: token) }
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
            await opener.open(
                .conversation(conversation, account: unit.account.name), activationToken: token)
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

    /// Where reading begins; nil where all is read.
    private func firstUnread(
        in conversation: Conversation.ID, of account: AccountID
    ) throws -> Message.ID? {
        try announcer.store.read { transaction in
            let unread = try transaction.unreadCount(of: conversation, account: account)
            guard unread > 0 else { return nil }
            return try transaction.newestReply(in: conversation, account: account, skipping: unread - 1)
        }
    }

    /// The last one that a pop-up stands for: what the person answers. What came meanwhile they have not seen.
    private func newest(
        in conversation: Conversation.ID, of account: AccountID, popup id: UInt32
    ) throws -> Message.ID? {
        guard let sequence = announcer.live.record(of: id)?.lastSequence else { return nil }
        return try announcer.store.read {
            try $0.newestReply(in: conversation, account: account, knownAt: sequence)
        }
    }
}

/// Replies typed into a pop-up. Whatever happens, the words are in the outbox or on the screen.
extension Clicks {
    private func take(_ text: String, typedInto id: UInt32) async {
        guard let end = text.lastIndex(where: { !$0.isWhitespace }) else { return }
        let text = String(text[...end])
        do {
            try send(text, typedInto: id)
        } catch {
            logger.error("a reply from a pop-up was not taken", metadata: ["reason": "\(error)"])
            var popup = Popup.notice("Not sent", "\(error)\n\(text)", category: "im.error")
            (popup.urgency, popup.expireMilliseconds) = (.critical, 0)
            await announcer.notifier.tell(popup, logger)
        }
    }

    private func send(_ text: String, typedInto id: UInt32) throws {
        guard let (account, conversation) = try target(of: id), let unit = accounts[account] else {
            throw NotTaken(reason: "the conversation of that pop-up is not known any more")
        }
        guard text.utf8.count <= ControlInterface.messageLimit else {
            throw NotTaken(reason: "that is longer than 1 MiB")
        }
        let seen = try newest(in: conversation, of: account, popup: id)
        if let reason = try obstacle(to: conversation, of: unit) {
            try unit.outbox.keep(.message(text), in: conversation, because: reason)
        } else {
            _ = try unit.outbox.enqueue(.message(text), in: conversation)
        }
        if let seen { _ = try unit.outbox.read(conversation, upTo: seen) }
    }

    /// There is no place for the words: the person must keep them.
    private struct NotTaken: Error, CustomStringConvertible {
        let reason: String
        var description: String { reason }
    }

    /// Why a reply is not sent before the person has heard of it.
    private func obstacle(to conversation: Conversation.ID, of unit: AccountUnit) throws -> String? {
        if let status = try unit.outbox.ending(of: conversation) {
            return "the conversation is \(status.rawValue); “Try again” sends it all the same"
        }
        guard unit.feed.status.state == .stopped else { return nil }
        return unit.feed.status.reason ?? "the account is stopped"
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
