/// Takes an account that was handed over away again; other devices keep it.
public struct RemoveApp: ControlMethod {
    public var account: String

    public init(account: String) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public init() {}
    }
}
