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
