import AccessAPI
public import FoundationEssentials

/// A conversation between the user and you, the maker of the app. Its JSON is that of the API.
public struct Conversation: Codable, Hashable, Sendable, Identifiable {
    /// The id of the conversation at the API.
    public let id: String
    /// The id of the user at the API, if it is known.
    public let customerID: String?
    /// Your id for the user, as set by ``CutiE/setUserId(_:)-method``.
    public let userID: String?
    /// The name of the user.
    public let userName: String?
    /// The id of the device that started the conversation.
    public let deviceID: String?
    /// `nil` if the conversation has no title.
    public let title: String?
    /// `nil` if your staff set a category that this library does not know.
    public let category: ConversationCategory?
    /// A status that this library does not know is reported as `open`.
    public let status: ConversationStatus
    /// `nil` if it is not set, or unknown to this library.
    public let priority: ConversationPriority?
    /// The id of the member of your staff who answers.
    public let assignedAdminID: String?
    /// The App ID.
    public let appId: String?
    /// The name of the app at the API.
    public let appName: String?
    /// `nil` if the API does not report it.
    public let messageCount: Int?
    /// The number of replies that the user has not read.
    public let unreadCount: Int?
    /// Oldest first; `nil` in a list of conversations.
    public let messages: [Message]?
    /// The tags that your staff added.
    public let tags: [Tag]?
    /// Unix milliseconds; 0 if it is not known.
    public let createdAt: Int64
    /// The time of the last change, in Unix milliseconds.
    public let updatedAt: Int64?

    /// Creates a conversation, for example for a preview of your user interface.
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

    /// Whether the user has not read all replies.
    public var hasUnread: Bool { (unreadCount ?? 0) > 0 }

    /// The time of `createdAt`.
    public var createdDate: Date { Date(milliseconds: createdAt) }

    /// The time of `updatedAt`, or else of `createdAt`.
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

    /// Decodes a conversation of the API. An unknown status is read as `open`; unknown values of `category`
    /// and `priority` as `nil`.
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

/// A tag that your staff added to a conversation.
public struct Tag: Codable, Hashable, Sendable, Identifiable {
    /// The id of the tag at the API.
    public let id: String
    /// The id of its conversation.
    public let conversationID: String
    /// The text of the tag.
    public let tagName: String
    /// A color, as your staff chose it.
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
    /// Creates a date from Unix milliseconds.
    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
