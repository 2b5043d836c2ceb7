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
