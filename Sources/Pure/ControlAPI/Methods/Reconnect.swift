/// Drops the connections of one account, or of all, and starts again at once; what waits to be sent goes, too.
public struct Reconnect: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public init() {}
    }
}
