import CutieAPI
import Inbox
import Store

/// Looks before sending again: where the answer was lost and the server may not know keys, our text
/// being there tells that it arrived.
extension Outbox {
    /// What is reckoned of the server's clock may be off by this much.
    private static let skew: Duration = .seconds(300)

    /// When an item was written, by the server's clock: ours may be hours ahead, and our own words would look
    /// like older ones.
    private func written(_ item: OutboxRecord) -> Timestamp {
        let ahead = ingest.clocks.now(of: account.id).map { surroundings.now() - $0 } ?? .zero
        return item.createdAt - ahead
    }

    func findMessage(
        like text: String, in conversation: Conversation.ID, since item: OutboxRecord
    ) async throws -> Message? {
        let thread = try await client.send(.conversation(conversation))
        return try thread.messages?.first { try isOurs($0, of: conversation, text, since: item) }
    }

    func findConversation(
        like text: String, title: String?, since item: OutboxRecord
    ) async throws -> Conversation? {
        let page = try await client.send(.listConversations(limit: 20, offset: 0))
        for listed in page.conversations where listed.title == title {
            let thread = try await client.send(.conversation(listed.id))
            if let first = thread.firstMessage, try isOurs(first, of: listed.id, text, since: item) {
                return thread
            }
        }
        return nil
    }

    /// It may be here already: a poll brings our own words, too.
    private func isOurs(
        _ message: Message, of conversation: Conversation.ID, _ text: String, since item: OutboxRecord
    ) throws -> Bool {
        guard Perspective.person.isOwn(message), message.text == text,
            message.createdAt >= written(item) - Self.skew
        else { return false }
        return try ingest.store.read {
            try !Change.isAnswer(message.id, in: conversation, account: account.id, $0)
        }
    }
}
