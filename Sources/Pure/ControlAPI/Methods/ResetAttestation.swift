/// The API and this machine forget the key; there is none until `RenewAttestation`.
public struct ResetAttestation: ControlMethod {
    public typealias Reply = AttestationView

    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }
}
