/// Sends a failed or waiting item now.
public struct RetryOutbox: ControlMethod {
    public var outboxId: String

    public init(outboxId: String) {
        self.outboxId = outboxId
    }

    public struct Reply: Codable, Hashable, Sendable {
        public init() {}
    }
}
