import Accounts
import ControlAPI
import CutieAPI
import EventLog
import NotificationPolicy
import Notifications
import Store
import VarlinkSocket

/// The handlers for the log as a stream.
struct WatchMethods: ControlMethods {
    /// The number of entries read at a time, which limits the memory for a slow client.
    private static let batch = 100

    let ingest: Ingest
    let accounts: AccountRegistry
    let attention: NotificationController
    let presence: PresenceCheck
    let surroundings: RuntimeEnvironment
    private var store: MessageStore { ingest.store }

    var implementation: Implementation {
        Implementation().onStream(Watch.self) { call, replies in
            try await watch(call.parameters) { try await replies.send($0) }
        }
    }

    /// Streams the log. `send` waits for the client, so a slow client only falls behind.
    func watch(_ call: Watch, send: (Watch.Reply) async throws -> Void) async throws {
        attention.beginWatching()
        defer { attention.endWatching() }
        let reader = LogReader(store: store, accounts: accounts)
        var known = call.since ?? ingest.head.value
        try await send(try snapshot())
        if let since = call.since, try !store.read({ try $0.log.isContiguous(after: since) }) {
            known = ingest.head.value
            try await send(reset(at: known))
        }
        while true {
            try Task.checkCancellation()
            try await ingest.head.waitUntilPast(known)
            let head = ingest.head.value
            guard let next = try reader.entries(after: known, limit: Self.batch) else {
                // Entries were pruned while the client was slow.
                known = head
                try await send(reset(at: known))
                continue
            }
            // No entries are left up to `head`, because they were deleted with their messages.
            if next.isEmpty { known = head }
            for entry in next {
                try await send(hidingText(entry))
                known = entry.sequence
            }
        }
    }

    /// Removes the texts of an entry unless the user's presence is confirmed. They stay if a program displays
    /// the conversation, because it shows the earlier texts already.
    private func hidingText(_ entry: Watch.Reply) -> Watch.Reply {
        guard entry.data != nil, !presence.showsTexts, !isAttended(entry) else { return entry }
        var entry = entry
        entry.data?.message = nil
        entry.data?.conversation?.lastMessage = nil
        return entry
    }

    private func isAttended(_ entry: Watch.Reply) -> Bool {
        guard let unit = accounts.units.first(where: { $0.account.name == entry.account }),
            let conversation = entry.conversation
        else { return false }
        return attention.isAttended(.reply(unit.account.id, Conversation.ID(conversation)))
    }

    private func reset(at sequence: Int64) -> Watch.Reply {
        Watch.Reply(sequence: sequence, type: .reset, at: surroundings.now().milliseconds)
    }

    private func snapshot() throws -> Watch.Reply {
        Watch.Reply(
            sequence: ingest.head.value, type: .snapshot, at: surroundings.now().milliseconds,
            badge: try BadgeView(of: accounts.units, in: ingest), state: accounts.state)
    }
}
