/// How a device stands with its attestation.
public struct AttestationView: Codable, Hashable, Sendable {
    public var account: String
    /// The configured one: `off`, `auto`, `tpm2` or `software`.
    public var mode: String
    /// This machine has a key of that kind.
    public var isSupported: Bool
    public var isAttested: Bool
    /// Where the key is: `tpm2` or `software`.
    public var environment: String?
    public var keyId: String?
    /// The last one that was signed with.
    public var counter: Int64?
    /// Why it is not attested, or what does not work.
    public var reason: String?

    public init(
        account: String, mode: String, isSupported: Bool, isAttested: Bool, environment: String? = nil,
        keyId: String? = nil, counter: Int64? = nil, reason: String? = nil
    ) {
        self.account = account
        self.mode = mode
        self.isSupported = isSupported
        self.isAttested = isAttested
        self.environment = environment
        self.keyId = keyId
        self.counter = counter
        self.reason = reason
    }
}
