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
