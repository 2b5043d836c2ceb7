/// Starts a thread.
public struct CreateConversation: RepeatableMethod {
    public var category: String
    public var message: String
    public var title: String?
    public var account: String?
    /// A UUID of the caller's: the same call, repeated within a day, is sent once.
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
        /// Accepted and in the outbox, but not sent within 5 s.
        public var queued: Bool
        public var outboxId: String?

        public init(conversationId: String? = nil, queued: Bool, outboxId: String? = nil) {
            self.conversationId = conversationId
            self.queued = queued
            self.outboxId = outboxId
        }
    }
}

/// Answers in a thread.
public struct SendMessage: RepeatableMethod {
    public var conversation: String
    public var message: String
    /// Also where the thread is resolved or closed.
    public var reopen: Bool?
    public var account: String?
    /// A UUID of the caller's: the same call, repeated within a day, is sent once.
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
        /// Accepted and in the outbox, but not sent within 5 s.
        public var queued: Bool
        public var outboxId: String?

        public init(messageId: String? = nil, queued: Bool, outboxId: String? = nil) {
            self.messageId = messageId
            self.queued = queued
            self.outboxId = outboxId
        }
    }
}

/// What waits to be sent and what could not be, oldest first.
public struct ListOutbox: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var items: [OutboxItem]
        /// One reply does not hold all: long texts are abridged, or newer items left out.
        public var cut: Bool?

        public init(items: [OutboxItem], cut: Bool? = nil) {
            self.items = items
            self.cut = cut
        }
    }
}

/// Sends a failed or waiting item now.
public struct RetryOutbox: ControlMethod {
    public var outboxId: String

    public init(outboxId: String) {
        self.outboxId = outboxId
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// Where it was sent to.
        public var conversationId: String?
        /// nil for a mark-read, and where the API does not tell.
        public var messageId: String?
        /// It is in the outbox, but was not sent within 5 s.
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

/// Takes an item out of the outbox; its text is lost.
public struct CancelOutbox: ControlMethod {
    public var outboxId: String

    public init(outboxId: String) {
        self.outboxId = outboxId
    }

    public struct Reply: Codable, Hashable, Sendable {
        public init() {}
    }
}

/// Something that waits to be sent, or could not be. Times are Unix milliseconds.
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
