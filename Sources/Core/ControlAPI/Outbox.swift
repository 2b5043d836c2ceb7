/// Starts a conversation.
public struct CreateConversation: RepeatableMethod {
    public var category: String
    public var message: String
    public var title: String?
    public var account: String?
    /// A UUID chosen by the caller. A call that is repeated within a day is sent only once.
    public var idempotencyKey: String?

    public init(
        category: String, message: String, title: String? = nil, account: String? = nil,
        idempotencyKey: String? = nil
    ) {
        self.category = category
        self.message = message
        self.title = title
        self.account = account
        self.idempotencyKey = idempotencyKey
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var conversationId: String?
        /// Whether the message is still pending in the outbox after 5 s.
        public var queued: Bool
        public var outboxId: String?

        public init(conversationId: String? = nil, queued: Bool, outboxId: String? = nil) {
            self.conversationId = conversationId
            self.queued = queued
            self.outboxId = outboxId
        }
    }
}

/// Sends a message to a conversation.
public struct SendMessage: RepeatableMethod {
    public var conversation: String
    public var message: String
    /// Whether to send even if the conversation is resolved or closed.
    public var reopen: Bool?
    public var account: String?
    /// A UUID chosen by the caller. A call that is repeated within a day is sent only once.
    public var idempotencyKey: String?

    public init(
        conversation: String, message: String, reopen: Bool? = nil, account: String? = nil,
        idempotencyKey: String? = nil
    ) {
        self.conversation = conversation
        self.message = message
        self.reopen = reopen
        self.account = account
        self.idempotencyKey = idempotencyKey
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var messageId: String?
        /// Whether the message is still pending in the outbox after 5 s.
        public var queued: Bool
        public var outboxId: String?

        public init(messageId: String? = nil, queued: Bool, outboxId: String? = nil) {
            self.messageId = messageId
            self.queued = queued
            self.outboxId = outboxId
        }
    }
}

/// Returns the pending and failed items of the outbox, oldest first.
public struct ListOutbox: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var items: [OutboxItem]
        /// Whether long texts were abridged, or newer items left out, because the reply has a size limit.
        public var cut: Bool?

        public init(items: [OutboxItem], cut: Bool? = nil) {
            self.items = items
            self.cut = cut
        }
    }
}

/// Sends a failed or pending item now.
public struct RetryOutbox: ControlMethod {
    public var outboxId: String

    public init(outboxId: String) {
        self.outboxId = outboxId
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// The conversation that the item was sent to.
        public var conversationId: String?
        /// `nil` for a mark-read, and if the API does not return an id.
        public var messageId: String?
        /// Whether the item is still pending in the outbox after 5 s.
        public var queued: Bool
        public var outboxId: String?

        public init(
            conversationId: String? = nil, messageId: String? = nil, queued: Bool, outboxId: String? = nil
        ) {
            self.conversationId = conversationId
            self.messageId = messageId
            self.queued = queued
            self.outboxId = outboxId
        }
    }
}

/// Removes an item from the outbox. Its text is deleted.
public struct CancelOutbox: ControlMethod {
    public var outboxId: String

    public init(outboxId: String) {
        self.outboxId = outboxId
    }

    public struct Reply: Codable, Hashable, Sendable {
        public init() {}
    }
}

/// An outbox item that is pending or failed. Times are Unix milliseconds.
public struct OutboxItem: Codable, Hashable, Sendable {
    public var outboxId: String
    public var account: String
    public var kind: String
    public var conversationId: String?
    public var text: String?
    /// `waiting`, `sending` or `failed`.
    public var state: String
    public var attempts: Int
    public var error: String?
    public var createdAt: Int64
    public var nextAttemptAt: Int64?

    public init(
        outboxId: String, account: String, kind: String, conversationId: String? = nil, text: String? = nil,
        state: String, attempts: Int, error: String? = nil, createdAt: Int64, nextAttemptAt: Int64? = nil
    ) {
        self.outboxId = outboxId
        self.account = account
        self.kind = kind
        self.conversationId = conversationId
        self.text = text
        self.state = state
        self.attempts = attempts
        self.error = error
        self.createdAt = createdAt
        self.nextAttemptAt = nextAttemptAt
    }
}
