/// What waits to be sent and what could not be, oldest first.
public struct ListOutbox: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var items: [OutboxItem]

        public init(items: [OutboxItem]) {
            self.items = items
        }
    }
}
