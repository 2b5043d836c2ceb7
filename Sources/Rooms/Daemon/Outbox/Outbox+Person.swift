import CutieAPI
import Store

/// What a person does with the outbox.
extension Outbox {
    /// Marks a conversation read here and writes what tells the server, in one transaction; `last`: what came
    /// after that message stays unread. nil where nothing of it is unread.
    func read(_ conversation: Conversation.ID, upTo last: Message.ID? = nil) throws -> String? {
        let (bound, later, unread) = try ingest.store.read { transaction in
            let bound = try transaction.newestReply(in: conversation, account: account.id, notAfter: last)
            let later = try bound.map {
                try transaction.replyCount(in: conversation, account: account.id, after: $0)
            }
            return (bound, later, try transaction.unreadCount(of: conversation, account: account.id))
        }
        guard let bound, let later, unread > later else { return nil }
        let item = try enqueue(.read(upTo: bound), in: conversation) { change in
            _ = try change.read(conversation, leaving: later)
        }
        // Of what came later the API tells the other ones.
        if later == 0 { try ingest.readAll(of: conversation, besides: account.id) }
        return item
    }

    /// How a conversation ended, as far as is known here; nil: it takes messages.
    func ending(of conversation: Conversation.ID) throws -> Status? {
        try ingest.store.read { try $0.conversation(conversation, account: account.id) }?.conversation.ending
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
