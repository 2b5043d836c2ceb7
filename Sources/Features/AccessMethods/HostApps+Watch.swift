package import AccessAPI
import AccessServer
import Accounts
import CutieAPI
package import Domain
import EventLog
import FeedPolicy
import Services
import Store

// MARK: - Watching the log of one app's account

extension HostApps {
    package func watch(
        _ call: AccessAPI.Watch, for app: AppIdentity,
        send: @MainActor (AccessAPI.Watch.Reply) async throws -> Void
    ) async throws {
        try await service.withClickHandler(isEnabled: call.handlesOpening == true, in: app) {
            try await sendEntries(since: call.since, for: app, send: send)
        }
    }

    private func sendEntries(
        since: Int64?, for app: AppIdentity, send: @MainActor (AccessAPI.Watch.Reply) async throws -> Void
    ) async throws {
        var account = try service.findAccount(of: app).account.id
        let follower = LogFollower(ingest: ingest, accounts: accounts)
        // `findAccount` throws if the permission of the app was revoked during the watch.
        try await follower.follow(
            since: since, check: { account = try service.findAccount(of: app).account.id }
        ) { step in
            switch step {
            case .snapshot(let sequence):
                try await send(makeEntry(ofType: .snapshot, sequence: sequence, of: account))
            case .reset(let sequence):
                try await send(makeEntry(ofType: .reset, sequence: sequence, of: account))
            case .line(let line):
                guard line.entry.account == account, let reply = makeEntry(for: line, of: account) else {
                    return
                }
                try await send(reply)
            }
        }
    }

    private func makeEntry(ofType type: WatchEntry, sequence: Int64, of account: AccountID)
        -> AccessAPI.Watch.Reply
    {
        .init(
            sequence: sequence, type: type, at: runtime.now().milliseconds,
            badge: ingest.badges[account]?.total)
    }

    /// Returns the entry for the app; `nil` if the app must not see it.
    private func makeEntry(for line: LogLine, of account: AccountID) -> AccessAPI.Watch.Reply? {
        let entry = line.entry
        if entry.kind == .conversationOpened { return makeInboxOpenedEntry(for: entry) }
        if line.message?.isNote == true { return nil }
        // Omit the text of the message unless the user's presence is confirmed. If the app then requests the
        // message, the user is asked to confirm presence.
        let message = presence.showsTexts ? line.message : nil
        let type: WatchEntry
        if message != nil {
            type = .message
        } else if entry.conversation != nil {
            type = .conversation
        } else if entry.kind == .badge {
            type = .badge
        } else {
            return nil
        }
        return .init(
            sequence: entry.sequence, type: type, at: entry.loggedAt.milliseconds,
            conversation: entry.conversation?.rawValue, message: message.map(AppMessage.init(_:)),
            badge: entry.badgeTotal.map { _ in ingest.badges[account]?.total ?? 0 })
    }

    private func makeInboxOpenedEntry(for entry: LogEntry) -> AccessAPI.Watch.Reply {
        let details = entry.data.flatMap { try? JSON.decode(OpeningRegister.Details.self, from: $0.utf8) }
        return .init(
            sequence: entry.sequence, type: .opened, at: entry.loggedAt.milliseconds,
            conversation: entry.conversation?.rawValue, openedBy: details?.openedBy,
            openedMessage: entry.message?.rawValue)
    }
}
