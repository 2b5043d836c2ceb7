/// Makes a new key and shows it to the API now.
public struct RenewAttestation: ControlMethod {
    public typealias Reply = AttestationView

    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }
}
