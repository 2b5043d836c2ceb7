/// Takes a device out of the shared inbox; this one leaves it, and what it had of it goes.
public struct RemoveDevice: ControlMethod {
    public var device: String
    public var account: String?

    public init(device: String, account: String? = nil) {
        self.device = device
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public init() {}
    }
}
