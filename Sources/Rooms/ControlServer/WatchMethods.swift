import Accounts
import Attention
import ControlAPI
import CutieAPI
import Log
import Screen
import Store
import VarlinkSocket

/// The log as it grows.
struct WatchMethods: ControlMethods {
    /// Entries read at a time: what a slow watcher costs.
    private static let batch = 100

    let ingest: Ingest
    let accounts: Accounts
    let attention: Attention
    let presence: Presence
    let surroundings: Surroundings
    private var store: Store { ingest.store }

    var implementation: Implementation {
        Implementation().onStream(Watch.self) { call, replies in
            try await watch(call.parameters) { try await replies.send($0) }
        }
    }

    /// The log as it grows: `send` waits for the client, so a slow one only falls behind.
    func watch(_ call: Watch, send: (Watch.Reply) async throws -> Void) async throws {
        attention.beginWatching()
        defer { attention.endWatching() }
        let reader = LogReader(store: store, accounts: accounts)
        var known = call.since ?? ingest.head.value
        try await send(try snapshot())
        if let since = call.since, try !store.read({ try $0.log.continues(after: since) }) {
            known = ingest.head.value
            try await send(reset(at: known))
        }
        while true {
            try Task.checkCancellation()
            try await ingest.head.passed(known)
            let next = try reader.entries(after: known, limit: Self.batch)
            guard next.first?.sequence == known + 1 else {
                // What was pruned while a slow reader stood still is not to be had any more.
                known = ingest.head.value
                try await send(reset(at: known))
                continue
            }
            for entry in next {
                try await send(covered(entry))
                known = entry.sequence
            }
        }
    }

    /// Without its texts where nobody is known to be there; where a program has its conversation before the person's
    /// eyes, the others of it are there already.
    private func covered(_ entry: Watch.Reply) -> Watch.Reply {
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
        Watch.Reply(sequence: sequence, type: "reset", at: surroundings.now().milliseconds)
    }

    private func snapshot() throws -> Watch.Reply {
        Watch.Reply(
            sequence: ingest.head.value, type: "snapshot", at: surroundings.now().milliseconds,
            badge: try BadgeView(of: accounts.units, in: ingest), state: accounts.state)
    }
}
