import AttestationFormat
import CutieAPI
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

    /// A power cut may have taken the last writes back, and a counter that comes twice is refused.
    mutating func leaveGap() { if keyID != nil { counter += 1000 } }
}

extension Transaction {
    func attestation(of account: AccountID) throws -> AttestationRecord {
        try setting(Self.key(account)).flatMap {
            try? JSON.decode(AttestationRecord.self, from: $0.utf8)
        } ?? AttestationRecord()
    }

    func set(_ record: AttestationRecord, of account: AccountID) throws {
        try setSetting(Self.key(account), to: String(decoding: JSON.encode(record), as: UTF8.self))
    }

    private static func key(_ account: AccountID) -> String { "attestation/\(account.rawValue)" }
}
