/// One message of a thread.
public struct MessageView: Codable, Hashable, Sendable {
    public var account: String
    public var messageId: String
    public var conversationId: String
    /// `user`, `admin` or `system`.
    public var senderType: String
    public var senderId: String?
    public var senderName: String?
    public var senderAvatarUrl: String?
    /// The text.
    public var message: String
    public var messageType: String
    /// Unix milliseconds.
    public var createdAt: Int64

    public init(
        account: String, messageId: String, conversationId: String, senderType: String,
        senderId: String? = nil, senderName: String? = nil, senderAvatarUrl: String? = nil, message: String,
        messageType: String, createdAt: Int64
    ) {
        self.account = account
        self.messageId = messageId
        self.conversationId = conversationId
        self.senderType = senderType
        self.senderId = senderId
        self.senderName = senderName
        self.senderAvatarUrl = senderAvatarUrl
        self.message = message
        self.messageType = messageType
        self.createdAt = createdAt
    }
}
