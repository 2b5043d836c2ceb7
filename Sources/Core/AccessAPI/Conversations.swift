/// Creates a conversation.
public struct CreateConversation: RepeatableMethod {
    /// `bug`, `feature`, `question`, `feedback` or `other`.
    public var category: String
    public var title: String?
    public var message: String
    public var idempotencyKey: String?

    public init(category: String, title: String? = nil, message: String, idempotencyKey: String? = nil) {
        (self.category, self.title, self.message) = (category, title, message)
        self.idempotencyKey = idempotencyKey
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// `nil` if the API has not received the conversation yet.
        public var conversationId: String?
        /// Whether the message is queued in the outbox.
        public var queued: Bool
        public var outboxId: String?

        public init(conversationId: String? = nil, queued: Bool, outboxId: String? = nil) {
            (self.conversationId, self.queued, self.outboxId) = (conversationId, queued, outboxId)
        }
    }
}

/// Lists the app's conversations, newest first.
public struct ListConversations: AccessMethod {
    public var limit: Int?

    public init(limit: Int? = nil) { self.limit = limit }

    public struct Reply: Codable, Hashable, Sendable {
        public var conversations: [AppConversation]
        /// The number of replies that are unread and arrived since the badge was cleared; `nil` if unknown.
        public var badge: Int?
        /// Whether older conversations were left out because of the size limit of a reply.
        public var cut: Bool?

        public init(conversations: [AppConversation], badge: Int? = nil, cut: Bool? = nil) {
            (self.conversations, self.badge, self.cut) = (conversations, badge, cut)
        }
    }
}

/// Returns a conversation with its messages, oldest first.
public struct GetConversation: AccessMethod {
    public var conversation: String
    /// Returns only the newest messages.
    public var limit: Int?

    public init(conversation: String, limit: Int? = nil) {
        (self.conversation, self.limit) = (conversation, limit)
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var conversation: AppConversation
        public var messages: [AppMessage]
        /// Whether older messages were left out, or long ones abridged, because of the size limit of a reply.
        public var cut: Bool?

        public init(conversation: AppConversation, messages: [AppMessage], cut: Bool? = nil) {
            (self.conversation, self.messages, self.cut) = (conversation, messages, cut)
        }
    }
}

/// Sends a message to a conversation.
public struct SendMessage: RepeatableMethod {
    public var conversation: String
    public var message: String
    public var idempotencyKey: String?

    public init(conversation: String, message: String, idempotencyKey: String? = nil) {
        (self.conversation, self.message, self.idempotencyKey) = (conversation, message, idempotencyKey)
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// `nil` if the API has not received the message yet.
        public var messageId: String?
        /// Whether the message is queued in the outbox.
        public var queued: Bool
        public var outboxId: String?

        public init(messageId: String? = nil, queued: Bool, outboxId: String? = nil) {
            (self.messageId, self.queued, self.outboxId) = (messageId, queued, outboxId)
        }
    }
}

/// Marks one conversation, or all, as read on all devices.
public struct MarkRead: AccessMethod {
    public typealias Reply = Done
    public var conversation: String?

    public init(conversation: String? = nil) { self.conversation = conversation }
}

/// Sets the badge of one conversation, or of all, to 0 on this desktop. No message is marked as read.
public struct ClearBadge: AccessMethod {
    public typealias Reply = Done
    public var conversation: String?

    public init(conversation: String? = nil) { self.conversation = conversation }
}

/// Shows the app's conversations, or one of them, in the window.
public struct OpenInbox: AccessMethod {
    public typealias Reply = Done
    public var conversation: String?

    public init(conversation: String? = nil) { self.conversation = conversation }
}

/// A conversation without its messages. Times are Unix milliseconds.
public struct AppConversation: Codable, Hashable, Sendable {
    public var conversationId: String
    public var status: String
    public var title: String?
    public var category: String?
    public var priority: String?
    public var messageCount: Int?
    /// The number of unread replies.
    public var unreadCount: Int
    public var lastMessage: String?
    public var createdAt: Int64?
    public var updatedAt: Int64?

    public init(
        conversationId: String, status: String, title: String? = nil, category: String? = nil,
        priority: String? = nil, messageCount: Int? = nil, unreadCount: Int, lastMessage: String? = nil,
        createdAt: Int64? = nil, updatedAt: Int64? = nil
    ) {
        (self.conversationId, self.status, self.title) = (conversationId, status, title)
        (self.category, self.priority, self.messageCount) = (category, priority, messageCount)
        (self.unreadCount, self.lastMessage) = (unreadCount, lastMessage)
        (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
    }
}

/// A message of a conversation.
public struct AppMessage: Codable, Hashable, Sendable {
    public var messageId: String
    public var conversationId: String
    /// `user`, `admin` or `system`.
    public var senderType: String
    public var senderName: String?
    /// The text.
    public var message: String
    public var messageType: String
    /// Whether the user wrote the message.
    public var own: Bool
    /// Unix milliseconds.
    public var createdAt: Int64

    public init(
        messageId: String, conversationId: String, senderType: String, senderName: String? = nil,
        message: String, messageType: String, own: Bool, createdAt: Int64
    ) {
        (self.messageId, self.conversationId) = (messageId, conversationId)
        (self.senderType, self.senderName) = (senderType, senderName)
        (self.message, self.messageType, self.own, self.createdAt) = (message, messageType, own, createdAt)
    }
}
