/// A thread between a person and an app's makers. All but the id and status may be missing.
public struct Conversation: Hashable, Sendable, Codable {
    public typealias ID = Identifier<Conversation>

    public var id: ID
    public var status: Status
    public var title: String?
    public var category: Category?
    public var priority: Priority?
    public var customerID: String?
    public var userID: String?
    public var userName: String?
    public var deviceID: DeviceID?
    public var assignedAdminID: String?
    public var appID: String?
    public var appName: String?
    public var messageCount: Int?
    /// Admin and system messages, not internal, since the device group's last mark-read.
    public var unreadCount: Int?
    public var messages: [Message]?
    public var tags: [Tag]?
    public var createdAt: Timestamp?
    /// A new message and a read change it.
    public var updatedAt: Timestamp?

    public init(id: ID, status: Status = .open) {
        self.id = id
        self.status = status
    }

    enum CodingKeys: String, CodingKey {
        case id = "conversation_id"
        case status, title, category, priority, messages, tags
        case customerID = "customer_id"
        case userID = "user_id"
        case userName = "user_name"
        case deviceID = "device_id"
        case assignedAdminID = "assigned_admin_id"
        case appID = "app_id"
        case appName = "app_name"
        case messageCount = "message_count"
        case unreadCount = "unread_count"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(ID.self, forKey: .id)
        status = container.lenient(.status) ?? .open
        title = container.lenient(.title)
        category = container.lenient(.category)
        priority = container.lenient(.priority)
        customerID = container.lenient(.customerID)
        userID = container.lenient(.userID)
        userName = container.lenient(.userName)
        deviceID = container.lenient(.deviceID)
        assignedAdminID = container.lenient(.assignedAdminID)
        appID = container.lenient(.appID)
        appName = container.lenient(.appName)
        messageCount = container.lenientCount(.messageCount)
        unreadCount = container.lenientCount(.unreadCount)
        messages = container.lenientList(.messages)
        tags = container.lenientList(.tags)
        createdAt = container.lenient(.createdAt)
        updatedAt = container.lenient(.updatedAt)
    }
}

/// A label an admin put on a conversation.
public struct Tag: Hashable, Sendable, Codable {
    public var id: String
    public var conversation: Conversation.ID
    public var name: String
    public var color: String?

    public init(id: String, conversation: Conversation.ID, name: String, color: String? = nil) {
        self.id = id
        self.conversation = conversation
        self.name = name
        self.color = color
    }

    enum CodingKeys: String, CodingKey {
        case id = "tag_id"
        case conversation = "conversation_id"
        case name = "tag_name"
        case color = "tag_color"
    }
}
