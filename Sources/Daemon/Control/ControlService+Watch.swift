import ControlAPI
import CutieAPI
import Store

extension ControlService {
    /// Entries read at a time: what a slow watcher costs.
    private static let batch = 100

    /// The log as it grows: `send` waits for the client, so a slow one only falls behind.
    func watch(_ call: Watch, send: (Watch.Reply) async throws -> Void) async throws {
        var known = call.since ?? ingest.head.value
        try await send(try snapshot())
        if let since = call.since, try !store.read({ try $0.logContinues(after: since) }) {
            known = ingest.head.value
            try await send(reset(at: known))
        }
        while true {
            try Task.checkCancellation()
            try await ingest.head.passed(known)
            let next = try entries(after: known)
            guard next.first?.sequence == known + 1 else {
                // What was pruned while a slow reader stood still is not to be had any more.
                known = ingest.head.value
                try await send(reset(at: known))
                continue
            }
            for entry in next {
                try await send(entry)
                known = entry.sequence
            }
        }
    }

    private func reset(at sequence: Int64) -> Watch.Reply {
        Watch.Reply(sequence: sequence, type: "reset", at: surroundings.now().milliseconds)
    }

    private func snapshot() throws -> Watch.Reply {
        Watch.Reply(
            sequence: ingest.head.value, type: "snapshot", at: surroundings.now().milliseconds,
            badge: try badge(of: accounts.units), state: state)
    }

    private func entries(after known: Int64) throws -> [Watch.Reply] {
        try store.read { transaction in
            try transaction.log(after: known, limit: Self.batch).map { entry in
                let name = entry.account.flatMap { accounts.name(of: $0) }
                var reply = Watch.Reply(entry, account: name)
                reply.data = try details(of: entry, account: name ?? "", in: transaction)
                return reply
            }
        }
    }

    private func details(
        of entry: LogEntry, account: String, in transaction: Transaction
    ) throws -> LogDetails? {
        if let data = entry.data { return try? JSON.decode(LogDetails.self, from: data.utf8) }
        guard let id = entry.account else { return nil }
        let message = try entry.message.flatMap { try transaction.message($0, account: id).first }
        let conversation = try entry.conversation.flatMap { try transaction.conversation($0, account: id) }
        guard message != nil || conversation != nil else { return nil }
        return LogDetails(
            message: message.map { MessageView($0, account: account).abridged },
            conversation: conversation.map { ConversationView($0, account: account) })
    }
}

extension MessageView {
    /// A message may be larger than a reply of the socket; the whole of it is one GetConversation away.
    fileprivate var abridged: MessageView {
        guard message.utf8.count > 256 << 10 else { return self }
        var abridged = self
        abridged.message = String(message.prefix(64 << 10)) + "…"
        return abridged
    }
}
