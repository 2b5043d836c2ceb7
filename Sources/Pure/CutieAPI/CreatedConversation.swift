/// The answer to a new conversation. Only the id is certain.
public struct CreatedConversation: Hashable, Sendable, Codable {
    public var id: Conversation.ID
    public var status: Status?
    public var message: Message.ID?
    public var createdAt: Timestamp?

    public init(
        id: Conversation.ID, status: Status? = nil, message: Message.ID? = nil, createdAt: Timestamp? = nil
    ) {
        self.id = id
        self.status = status
        self.message = message
        self.createdAt = createdAt
    }

    enum CodingKeys: String, CodingKey {
        case status
        case id = "conversation_id"
        case message = "message_id"
        case createdAt = "created_at"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Conversation.ID.self, forKey: .id)
        status = container.lenient(.status)
        message = container.lenient(.message)
        createdAt = container.lenient(.createdAt)
    }
}
