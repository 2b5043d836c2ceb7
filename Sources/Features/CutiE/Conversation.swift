import AccessAPI
public import FoundationEssentials

/// A conversation between the user and you, the developer of the app. Uses the JSON format of the API.
public struct Conversation: Codable, Hashable, Sendable, Identifiable {
    /// The ID of the conversation at the API.
    public let id: String
    /// The ID of the user at the API; `nil` if it is unknown.
    public let customerID: String?
    /// Your ID for the user, as set by ``CutiE/setUserId(_:)-method``; `nil` if it was not set.
    public let userID: String?
    /// The name of the user; `nil` if it is unknown.
    public let userName: String?
    /// The ID of the device that started the conversation; `nil` if it is unknown.
    public let deviceID: String?
    /// The subject; `nil` if the conversation has no title.
    public let title: String?
    /// The topic; `nil` if support set a category that this library does not know.
    public let category: ConversationCategory?
    /// The progress; `open` if this library does not know the status.
    public let status: ConversationStatus
    /// The priority; `nil` if it was not set or this library does not know it.
    public let priority: ConversationPriority?
    /// The ID of the support member to whom the conversation is assigned; `nil` if it is unassigned.
    public let assignedAdminID: String?
    /// The App ID; `nil` if the API does not report it.
    public let appId: String?
    /// The name of the app at the API; `nil` if the API does not report it.
    public let appName: String?
    /// The number of messages; `nil` if the API does not report it.
    public let messageCount: Int?
    /// The number of replies that the user has not read; `nil` if the API does not report it.
    public let unreadCount: Int?
    /// The messages, oldest first; `nil` in a list of conversations.
    public let messages: [Message]?
    /// The tags that support added; `nil` if the API does not report them.
    public let tags: [Tag]?
    /// The time of creation in Unix milliseconds; 0 if it is unknown.
    public let createdAt: Int64
    /// The time of the last change in Unix milliseconds; `nil` if it is unknown.
    public let updatedAt: Int64?

    /// Creates a conversation for your own use, for example for a preview of your user interface. Sends
    /// nothing.
    public init(
        id: String, customerID: String? = nil, userID: String? = nil, userName: String? = nil,
        deviceID: String? = nil, title: String? = nil, category: ConversationCategory? = nil,
        status: ConversationStatus, priority: ConversationPriority? = nil, assignedAdminID: String? = nil,
        appId: String? = nil, messageCount: Int? = nil, unreadCount: Int? = nil, messages: [Message]? = nil,
        tags: [Tag]? = nil, createdAt: Int64, updatedAt: Int64? = nil
    ) {
        (self.id, self.customerID, self.userID, self.userName) = (id, customerID, userID, userName)
        (self.deviceID, self.title, self.category, self.status) = (deviceID, title, category, status)
        (self.priority, self.assignedAdminID, self.appId) = (priority, assignedAdminID, appId)
        (self.messageCount, self.unreadCount, self.messages) = (messageCount, unreadCount, messages)
        (self.tags, self.createdAt, self.updatedAt, appName) = (tags, createdAt, updatedAt, nil)
    }

    /// Whether the user has unread replies.
    public var hasUnread: Bool { (unreadCount ?? 0) > 0 }

    /// The time of creation as a date.
    public var createdDate: Date { Date(milliseconds: createdAt) }

    /// The time of the last change as a date; the time of creation if the time of the last change is unknown.
    public var updatedDate: Date { Date(milliseconds: updatedAt ?? createdAt) }

    private enum CodingKeys: String, CodingKey {
        case title, category, status, priority, messages, tags
        case id = "conversation_id"
        case customerID = "customer_id"
        case userID = "user_id"
        case userName = "user_name"
        case deviceID = "device_id"
        case assignedAdminID = "assigned_admin_id"
        case appId = "app_id"
        case appName = "app_name"
        case messageCount = "message_count"
        case unreadCount = "unread_count"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    /// Decodes a conversation of the API. An unknown status is decoded as `open`, an unknown `category` or
    /// `priority` as `nil`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String? {
            try container.decodeIfPresent(String.self, forKey: key)
        }
        id = try container.decode(String.self, forKey: .id)
        (customerID, userID) = (try text(.customerID), try text(.userID))
        (userName, deviceID, title) = (try text(.userName), try text(.deviceID), try text(.title))
        category = try text(.category).flatMap(ConversationCategory.init(rawValue:))
        status = ConversationStatus(rawValue: try container.decode(String.self, forKey: .status)) ?? .open
        priority = try text(.priority).flatMap(ConversationPriority.init(rawValue:))
        assignedAdminID = try text(.assignedAdminID)
        (appId, appName) = (try text(.appId), try text(.appName))
        messageCount = try container.decodeIfPresent(Int.self, forKey: .messageCount)
        unreadCount = try container.decodeIfPresent(Int.self, forKey: .unreadCount)
        messages = try container.decodeIfPresent([Message].self, forKey: .messages)
        tags = try container.decodeIfPresent([Tag].self, forKey: .tags)
        createdAt = try container.decode(Int64.self, forKey: .createdAt)
        updatedAt = try container.decodeIfPresent(Int64.self, forKey: .updatedAt)
    }

    init(_ conversation: AppConversation, messages: [Message]? = nil) {
        (id, title) = (conversation.conversationId, conversation.title)
        status = ConversationStatus(rawValue: conversation.status) ?? .open
        category = conversation.category.flatMap(ConversationCategory.init(rawValue:))
        priority = conversation.priority.flatMap(ConversationPriority.init(rawValue:))
        (customerID, userID) = (conversation.customerId, conversation.userId)
        (userName, deviceID) = (conversation.userName, conversation.deviceId)
        (assignedAdminID, appId) = (conversation.assignedAdminId, conversation.appId)
        (appName, messageCount) = (conversation.appName, conversation.messageCount)
        (unreadCount, self.messages) = (conversation.unreadCount, messages)
        tags = conversation.tags?.map(Tag.init(_:))
        createdAt = conversation.createdAt ?? conversation.updatedAt ?? 0
        updatedAt = conversation.updatedAt
    }
}

/// A tag that support added to a conversation. Uses the JSON format of the API.
public struct Tag: Codable, Hashable, Sendable, Identifiable {
    /// The ID of the tag at the API.
    public let id: String
    /// The ID of the conversation with the tag.
    public let conversationID: String
    /// The displayed text of the tag.
    public let tagName: String
    /// The color that support chose, as the API reports it; `nil` for the default.
    public let tagColor: String?

    init(_ tag: AppTag) {
        (id, conversationID, tagName, tagColor) = (tag.tagId, tag.conversationId, tag.tagName, tag.tagColor)
    }

    private enum CodingKeys: String, CodingKey {
        case id = "tag_id"
        case conversationID = "conversation_id"
        case tagName = "tag_name"
        case tagColor = "tag_color"
    }
}

extension Date {
    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
