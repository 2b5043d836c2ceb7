/// A thread, without its messages. Times are Unix milliseconds.
public struct ConversationView: Codable, Hashable, Sendable {
    public var account: String
    public var conversationId: String
    public var status: String
    public var title: String?
    public var category: String?
    public var priority: String?
    public var customerId: String?
    public var userId: String?
    public var userName: String?
    public var deviceId: String?
    public var assignedAdminId: String?
    public var appId: String?
    public var appName: String?
    public var messageCount: Int?
    public var unreadCount: Int?
    /// Its unread replies since the last clear.
    public var badge: Int
    public var lastMessage: String?
    public var tags: [TagView]?
    public var createdAt: Int64?
    public var updatedAt: Int64?

    public init(
        account: String, conversationId: String, status: String, title: String? = nil,
        category: String? = nil, priority: String? = nil, appName: String? = nil, messageCount: Int? = nil,
        unreadCount: Int? = nil, badge: Int, lastMessage: String? = nil, createdAt: Int64? = nil,
        updatedAt: Int64? = nil
    ) {
        self.account = account
        self.conversationId = conversationId
        self.status = status
        self.title = title
        self.category = category
        self.priority = priority
        self.appName = appName
        self.messageCount = messageCount
        self.unreadCount = unreadCount
        self.badge = badge
        self.lastMessage = lastMessage
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
