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
