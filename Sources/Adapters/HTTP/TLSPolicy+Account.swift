public import Config

extension TLSPolicy {
    /// What the configuration of an account asks for, with the pins that are built in.
    public init(of account: AccountConfiguration) {
        self.init(
            minimumVersion: account.tls.minimumVersion == .v1_2 ? .v1_2 : .v1_3, caFile: account.tls.caFile,
            pins: Set(account.pins.map(\.description)))
    }
}
