import AttestationFormat
import Store

/// What the store knows of the key that a device attested with.
struct AttestationRecord: Codable, Equatable {
    /// nil: not attested.
    var keyID: String?
    var environment: AttestationEnvironment?
    /// The last one that was used by that key.
    var counter: UInt64 = 0
    /// The person wants none until `ctl attest renew`.
    var wasReset = false

    static func setting(of account: AccountID) -> Setting<Self> { Setting("attestation", of: account) }

    /// A power cut may have taken the last writes back, and a counter that comes twice is refused.
    mutating func leaveGap() { if keyID != nil { counter += 1000 } }
}
