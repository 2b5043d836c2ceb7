import AccessAPI
public import FoundationEssentials

/// A message in a conversation. Uses the JSON format of the API.
public struct Message: Codable, Hashable, Sendable, Identifiable {
    /// The ID of the message at the API.
    public let id: String
    /// The ID of the conversation that contains the message.
    public let conversationID: String
    /// The kind of author: the user, support or the API.
    public let senderType: SenderType
    /// The ID of the author at the API; `nil` if it is unknown.
    public let senderID: String?
    /// The name of the author; `nil` if it is unknown.
    public let senderName: String?
    /// The URL of the author's picture; `nil` if there is none.
    public let senderAvatarUrl: String?
    /// The text of the message.
    public let message: String
    /// The format of the text. `text` is the only known format.
    public let messageType: String
    /// Always `false`: cutied passes no internal notes of support staff to apps.
    public let isInternalNote: Bool
    /// The time in Unix milliseconds when the message was written.
    public let createdAt: Int64

    /// Creates a message for your own use, for example for a preview of your user interface. Sends nothing.
    public init(
        id: String, conversationID: String, senderType: SenderType, senderID: String? = nil,
        senderName: String? = nil, senderAvatarUrl: String? = nil, message: String,
        messageType: String = "text", isInternalNote: Bool = false, createdAt: Int64
    ) {
        (self.id, self.conversationID, self.senderType) = (id, conversationID, senderType)
        (self.senderID, self.senderName, self.senderAvatarUrl) = (senderID, senderName, senderAvatarUrl)
        (self.message, self.messageType) = (message, messageType)
        (self.isInternalNote, self.createdAt) = (isInternalNote, createdAt)
    }

    /// The time when the message was written, as a date.
    public var createdDate: Date { Date(milliseconds: createdAt) }

    init(_ message: AppMessage) {
        self.init(
            id: message.messageId, conversationID: message.conversationId,
            senderType: SenderType(rawValue: message.senderType) ?? (message.own ? .user : .system),
            senderID: message.senderId, senderName: message.senderName,
            senderAvatarUrl: message.senderAvatarUrl, message: message.message,
            messageType: message.messageType, createdAt: message.createdAt)
    }

    private enum CodingKeys: String, CodingKey {
        case message
        case id = "message_id"
        case conversationID = "conversation_id"
        case senderType = "sender_type"
        case senderID = "sender_id"
        case senderName = "sender_name"
        case senderAvatarUrl = "sender_avatar_url"
        case messageType = "message_type"
        case isInternalNote = "is_internal_note"
        case createdAt = "created_at"
    }
}

/// The result of ``CutiE/submitConversation(category:message:title:)-method`` and
/// ``CutiE/submitMessage(conversationId:message:)-method``.
public struct Receipt: Hashable, Sendable {
    /// The ID of the conversation; `nil` if the API has not received a new conversation yet.
    public let conversationId: String?
    /// The ID of the message; `nil` if the API has not received the message yet or does not report the ID.
    public let messageId: String?
    /// Whether the message is queued because the API is not reachable. cutied sends a queued message later,
    /// exactly once.
    public let isQueued: Bool
}
