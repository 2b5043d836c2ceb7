import CutieAPI
import Store

/// What a person does with the outbox.
extension Outbox {
    /// Marks a conversation read here and writes what tells the server, in one transaction.
    /// nil where nothing is unread.
    func read(_ conversation: Conversation.ID) throws -> String? {
        let bound = try ingest.store.read { try $0.newestReply(in: conversation, account: account.id) }
        let unread = try ingest.store.read { try $0.conversation(conversation, account: account.id) }?.unread
        guard let bound, let unread, unread > 0 else { return nil }
        let item = try enqueue(.read(upTo: bound), in: conversation) { _ = try $0.readAll(of: conversation) }
        try ingest.readAll(of: conversation, besides: account.id)
        return item
    }

    /// Takes an item out; false where it is on its way.
    func cancel(_ id: String) throws -> Bool {
        defer { onFailures() }
        return try ingest.store.write { transaction in
            guard try transaction.outboxItem(id)?.state != .sending else { return false }
            return try transaction.deleteOutbox(id)
        }
    }

    /// Sends all that waits now, also what the server asked to hold.
    func hasten() throws {
        (holds, rest) = ([:], .zero)
        try sendNow()
    }

    /// Sends an item now, also one that failed for good or is held: how it ended before counts no more.
    func retry(_ id: String) throws {
        (holds[id], rest) = (nil, .zero)
        forgetOutcome(of: id)
        try ingest.store.write { transaction in
            guard var item = try transaction.outboxItem(id), item.state != .sending else { return }
            item.state = .waiting
            item.nextAttemptAt = nil
            try transaction.update(item)
        }
        try sendNow()
        onFailures()
    }
}
