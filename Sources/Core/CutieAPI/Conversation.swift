/// A conversation between a user and support. Only the ID is required.
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
    /// The number of unread messages from support and the system, excluding internal notes. Messages are
    /// unread until a device of the user marks the conversation as read.
    public var unreadCount: Int?
    public var messages: [Message]?
    public var tags: [Tag]?
    public var createdAt: Timestamp?
    /// The time of the last change. A change is a new message, or an action that marks the conversation as
    /// read.
    public var updatedAt: Timestamp?

    public init(id: ID, status: Status = .open) {
        self.id = id
        self.status = status
    }

    private enum CodingKeys: String, CodingKey {
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
        status = container.decodeIfReadable(.status) ?? .open
        title = container.decodeIfReadable(.title)
        category = container.decodeIfReadable(.category)
        priority = container.decodeIfReadable(.priority)
        customerID = container.decodeIDIfReadable(.customerID)
        userID = container.decodeIDIfReadable(.userID)
        userName = container.decodeIfReadable(.userName)
        deviceID = container.decodeIfReadable(.deviceID)
        assignedAdminID = container.decodeIDIfReadable(.assignedAdminID)
        appID = container.decodeIDIfReadable(.appID)
        appName = container.decodeIfReadable(.appName)
        messageCount = container.decodeCountIfReadable(.messageCount)
        unreadCount = container.decodeCountIfReadable(.unreadCount)
        messages = container.decodeListIfReadable(.messages)
        tags = container.decodeListIfReadable(.tags)
        createdAt = container.decodeIfReadable(.createdAt)
        updatedAt = container.decodeIfReadable(.updatedAt)
    }
}

/// A label that support staff added to a conversation.
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

    private enum CodingKeys: String, CodingKey {
        case id = "tag_id"
        case conversation = "conversation_id"
        case name = "tag_name"
        case color = "tag_color"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decodeRequiredID(.id)
        conversation = try container.decode(Conversation.ID.self, forKey: .conversation)
        name = try container.decode(String.self, forKey: .name)
        color = container.decodeIfReadable(.color)
    }
}

/// A page of conversations, most recently updated first.
public struct ConversationPage: Hashable, Sendable, Codable {
    public var conversations: [Conversation]
    /// The number of unread messages in all conversations, not only on this page.
    public var totalUnread: Int?

    public init(conversations: [Conversation], totalUnread: Int?) {
        self.conversations = conversations
        self.totalUnread = totalUnread
    }

    private enum CodingKeys: String, CodingKey {
        case conversations
        case totalUnread = "total_unread"
    }

    /// Skips conversations that cannot be decoded. Throws if `conversations` is not a list.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        conversations = try container.decodeRequiredList(.conversations)
        totalUnread = container.decodeCountIfReadable(.totalUnread)
    }
}

public struct NewConversation: RequestBody {
    public var category: Category
    public var initialMessage: String
    public var appID: String
    public var title: String?
    public var userID: String?
    public var userName: String?
    /// The device facts that the configuration allows.
    public var device: DeviceFacts

    public init(
        category: Category, initialMessage: String, appID: String, title: String? = nil,
        userID: String? = nil, userName: String? = nil, device: DeviceFacts = DeviceFacts()
    ) {
        self.category = category
        self.initialMessage = initialMessage
        self.appID = appID
        self.title = title
        self.userID = userID
        self.userName = userName
        self.device = device
    }

    private enum CodingKeys: String, CodingKey {
        case category, title
        case initialMessage = "initial_message"
        case appID = "app_id"
        case userID = "user_id"
        case userName = "user_name"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        category = try container.decode(Category.self, forKey: .category)
        initialMessage = try container.decode(String.self, forKey: .initialMessage)
        appID = try container.decode(String.self, forKey: .appID)
        title = container.decodeIfReadable(.title)
        userID = container.decodeIDIfReadable(.userID)
        userName = container.decodeIfReadable(.userName)
        device = try DeviceFacts(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(category, forKey: .category)
        try container.encode(initialMessage, forKey: .initialMessage)
        try container.encode(appID, forKey: .appID)
        try container.encodeIfPresent(title, forKey: .title)
        try container.encodeIfPresent(userID, forKey: .userID)
        try container.encodeIfPresent(userName, forKey: .userName)
        try device.encode(to: encoder)
    }
}

/// The response to a new conversation. Only the ID is required.
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

    private enum CodingKeys: String, CodingKey {
        case status
        case id = "conversation_id"
        case message = "message_id"
        case createdAt = "created_at"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Conversation.ID.self, forKey: .id)
        status = container.decodeIfReadable(.status)
        message = container.decodeIfReadable(.message)
        createdAt = container.decodeIfReadable(.createdAt)
    }
}
