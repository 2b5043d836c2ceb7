package import AccessAPI
package import AccessServer
import Accounts
import ControlAPI
import CutieAPI
import EventLog
import FeedPolicy
import Store

/// The log of one app's account as a stream.
extension HostApps {
    /// The number of entries read at a time, which limits the memory for a slow app.
    private static let batch = 100

    package func watch(
        _ call: AccessAPI.Watch, for app: AppIdentity,
        send: @MainActor (AccessAPI.Watch.Reply) async throws -> Void
    ) async throws {
        let account = try unit(of: app).account
        guard call.handlesOpening == true else { return try await follow(call, for: app, send: send) }
        try await openings.handling(account.id) { try await follow(call, for: app, send: send) }
    }

    private func follow(
        _ call: AccessAPI.Watch, for app: AppIdentity,
        send: @MainActor (AccessAPI.Watch.Reply) async throws -> Void
    ) async throws {
        var account = try unit(of: app).account
        var known = call.since ?? ingest.head.value
        try await send(entry(.snapshot, at: ingest.head.value, of: account))
        if let since = call.since, try !ingest.store.read({ try $0.log.isContiguous(after: since) }) {
            known = ingest.head.value
            try await send(entry(.reset, at: known, of: account))
        }
        while true {
            try Task.checkCancellation()
            try await ingest.head.waitUntilPast(known)
            // Fails if the permission of the app was revoked during the watch.
            account = try unit(of: app).account
            let head = ingest.head.value
            guard let next = try entries(after: known) else {
                // Entries were pruned while the client was slow.
                known = head
                try await send(entry(.reset, at: known, of: account))
                continue
            }
            // No entries are left up to `head`, because they were deleted with their messages.
            if next.isEmpty { known = head }
            for step in next {
                if step.account == account.id, let reply = try reply(for: step, of: account) {
                    try await send(reply)
                }
                known = step.sequence
            }
        }
    }

    /// Returns `nil` if entries after `sequence` were pruned.
    private func entries(after sequence: Int64) throws -> [LogEntry]? {
        try ingest.store.read { transaction in
            guard try transaction.log.isContiguous(after: sequence) else { return nil }
            return try transaction.log.entries(after: sequence, limit: Self.batch)
        }
    }

    private func entry(_ type: WatchEntry, at sequence: Int64, of account: Account) -> AccessAPI.Watch.Reply {
        .init(
            sequence: sequence, type: type, at: surroundings.now().milliseconds,
            badge: ingest.badges[account.id]?.total)
    }

    /// Returns `nil` for an entry that the app must not see.
    private func reply(for step: LogEntry, of account: Account) throws -> AccessAPI.Watch.Reply? {
        if step.kind == .conversationOpened { return opened(step) }
        let message = try step.message.flatMap { id in
            try ingest.store.read { try $0.messages.find(id, in: step.conversation, account: account.id) }
                .first
        }
        if let message, message.isNote { return nil }
        // Without presence the text is left out. An app that requests it then triggers the confirmation of
        // presence.
        let isShown = message != nil && presence.showsTexts
        let type: WatchEntry
        if isShown {
            type = .message
        } else if step.conversation != nil {
            type = .conversation
        } else if step.kind == .badge {
            type = .badge
        } else {
            return nil
        }
        let view = (isShown ? message : nil).map {
            MessageView($0, account: account.name, seenBy: accounts.perspective(of: account.id)).abbreviated
        }
        return .init(
            sequence: step.sequence, type: type, at: step.at.milliseconds,
            conversation: step.conversation?.rawValue, message: view.map(AppMessage.init(_:)),
            badge: step.badgeTotal.map { _ in ingest.badges[account.id]?.total ?? 0 })
    }

    private func opened(_ step: LogEntry) -> AccessAPI.Watch.Reply {
        let details = step.data.flatMap { try? JSON.decode(OpeningRegister.Details.self, from: $0.utf8) }
        return .init(
            sequence: step.sequence, type: .opened, at: step.at.milliseconds,
            conversation: step.conversation?.rawValue, openedBy: details?.openedBy,
            openedMessage: step.message?.rawValue)
    }
}
