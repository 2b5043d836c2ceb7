/// A page of conversations, newest `updated_at` first.
public struct ConversationPage: Hashable, Sendable, Codable {
    public var conversations: [Conversation]
    /// Of all conversations, not of this page.
    public var totalUnread: Int?

    public init(conversations: [Conversation], totalUnread: Int?) {
        self.conversations = conversations
        self.totalUnread = totalUnread
    }

    enum CodingKeys: String, CodingKey {
        case conversations
        case totalUnread = "total_unread"
    }

    /// A conversation that cannot be read is skipped; an answer without a list is no page.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        conversations = try container.requiredList(.conversations)
        totalUnread = container.lenientCount(.totalUnread)
    }
}
