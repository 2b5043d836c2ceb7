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
