import AccessAPI
public import FoundationEssentials

/// What a conversation is about.
public enum ConversationCategory: String, Sendable, CaseIterable {
    /// Something does not work.
    case bug
    /// Something is wished for.
    case feature
    /// Something is not clear.
    case question
    /// An opinion.
    case feedback
    /// None of these.
    case other
}

/// A thread between the person and you, the app's maker.
public struct Conversation: Hashable, Sendable, Identifiable {
    /// What the API calls it.
    public let id: String
    /// `open`, `in_progress`, `waiting_user`, `resolved` or `closed`.
    public let status: String
    /// nil where nobody gave it one.
    public let title: String?
    /// nil where you gave it a category that is not known here.
    public let category: ConversationCategory?
    /// `low`, `normal`, `high` or `urgent`, as your side set it.
    public let priority: String?
    /// nil where the API does not tell.
    public let messageCount: Int?
    /// Answers that the person has not read.
    public let unreadCount: Int
    /// The beginning of the last message.
    public let lastMessage: String?
    /// When it began; nil where the API does not tell.
    public let createdAt: Date?
    /// When something in it changed last.
    public let updatedAt: Date?
    /// The oldest first; nil in a list of conversations.
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

/// One message of a conversation.
public struct Message: Hashable, Sendable, Identifiable {
    /// Who wrote it.
    public enum Sender: String, Sendable {
        /// The person, here or on another device.
        case user
        /// Somebody of your side.
        case admin
        /// The API itself, for instance that the conversation was closed.
        case system
    }

    /// What the API calls it.
    public let id: String
    /// The conversation it is in.
    public let conversationId: String
    /// Who wrote it.
    public let sender: Sender
    /// What who wrote it is called, where that is known.
    public let senderName: String?
    /// The words.
    public let text: String
    /// The person wrote it.
    public let isOwn: Bool
    /// When it was written.
    public let createdAt: Date

    init(_ message: AppMessage) {
        (id, conversationId) = (message.messageId, message.conversationId)
        sender = Sender(rawValue: message.senderType) ?? (message.own ? .user : .system)
        (senderName, text, isOwn) = (message.senderName, message.message, message.own)
        createdAt = Date(milliseconds: message.createdAt)
    }
}

/// What became of words that were sent.
public struct Receipt: Hashable, Sendable {
    /// nil where the API does not have a new conversation yet.
    public let conversationId: String?
    /// nil where the API does not have the message yet, or does not tell.
    public let messageId: String?
    /// The API cannot be reached now: cutied sends it when it can, once.
    public let isQueued: Bool
}

extension Date {
    /// Of Unix milliseconds.
    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
