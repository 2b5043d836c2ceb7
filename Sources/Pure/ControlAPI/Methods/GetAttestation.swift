/// Whether the device has shown the API a key.
public struct GetAttestation: ControlMethod {
    public typealias Reply = AttestationView

    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }
}
