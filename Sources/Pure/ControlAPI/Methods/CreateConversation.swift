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
