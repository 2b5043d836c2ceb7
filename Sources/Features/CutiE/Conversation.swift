import AccessAPI
public import FoundationEssentials

/// The topic of a conversation.
public enum ConversationCategory: String, Sendable, CaseIterable {
    /// A defect.
    case bug
    /// A feature request.
    case feature
    /// A question.
    case question
    /// An opinion.
    case feedback
    /// Anything else.
    case other
}

/// A conversation between the user and you, the maker of the app.
public struct Conversation: Hashable, Sendable, Identifiable {
    /// The id of the conversation at the API.
    public let id: String
    /// `open`, `in_progress`, `waiting_user`, `resolved` or `closed`.
    public let status: String
    /// `nil` if the conversation has no title.
    public let title: String?
    /// `nil` if your staff set a category that this library does not know.
    public let category: ConversationCategory?
    /// `low`, `normal`, `high` or `urgent`, as set by your staff.
    public let priority: String?
    /// `nil` if the API does not report it.
    public let messageCount: Int?
    /// The number of replies that the user has not read.
    public let unreadCount: Int
    /// The beginning of the last message.
    public let lastMessage: String?
    /// `nil` if the API does not report it.
    public let createdAt: Date?
    /// The time of the last change.
    public let updatedAt: Date?
    /// Oldest first; `nil` in a list of conversations.
    public let messages: [Message]?

    init(_ conversation: AppConversation, messages: [Message]? = nil) {
        (id, status, title) = (conversation.conversationId, conversation.status, conversation.title)
        category = conversation.category.flatMap(ConversationCategory.init(rawValue:))
        (priority, messageCount) = (conversation.priority, conversation.messageCount)
        (unreadCount, lastMessage) = (conversation.unreadCount, conversation.lastMessage)
        createdAt = conversation.createdAt.map(Date.init(milliseconds:))
        updatedAt = conversation.updatedAt.map(Date.init(milliseconds:))
        self.messages = messages
    }
}

/// A message of a conversation.
public struct Message: Hashable, Sendable, Identifiable {
    /// The author of a message.
    public enum Sender: String, Sendable {
        /// The user, on this or another device.
        case user
        /// A member of your staff.
        case admin
        /// The API itself, for example when it closes a conversation.
        case system
    }

    /// The id of the message at the API.
    public let id: String
    /// The id of its conversation.
    public let conversationId: String
    /// The kind of author.
    public let sender: Sender
    /// The name of the author, if it is known.
    public let senderName: String?
    /// The text of the message.
    public let text: String
    /// Whether the user wrote the message.
    public let isOwn: Bool
    /// The time when the message was written.
    public let createdAt: Date

    init(_ message: AppMessage) {
        (id, conversationId) = (message.messageId, message.conversationId)
        sender = Sender(rawValue: message.senderType) ?? (message.own ? .user : .system)
        (senderName, text, isOwn) = (message.senderName, message.message, message.own)
        createdAt = Date(milliseconds: message.createdAt)
    }
}

/// The result of sending a message.
public struct Receipt: Hashable, Sendable {
    /// `nil` if the API has not received a new conversation yet.
    public let conversationId: String?
    /// `nil` if the API has not received the message yet, or does not report its id.
    public let messageId: String?
    /// Whether the message is queued because the API cannot be reached. cutied sends it later, once.
    public let isQueued: Bool
}

extension Date {
    /// Creates a date from Unix milliseconds.
    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
