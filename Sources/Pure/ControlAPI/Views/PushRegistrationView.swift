/// Where a push service reaches the device of an account.
public struct PushRegistrationView: Codable, Hashable, Sendable {
    public var account: String
    /// `none`, `waiting` (for the API), `registered`, `refused` or `leaving`.
    public var state: String
    /// The last eight characters of the token.
    public var tokenEnd: String?
    /// When the server took it, Unix milliseconds.
    public var registeredAt: Int64?
    /// Why the server does not know yet.
    public var reason: String?

    public init(
        account: String, state: String, tokenEnd: String? = nil, registeredAt: Int64? = nil,
        reason: String? = nil
    ) {
        self.account = account
        self.state = state
        self.tokenEnd = tokenEnd
        self.registeredAt = registeredAt
        self.reason = reason
    }
}
