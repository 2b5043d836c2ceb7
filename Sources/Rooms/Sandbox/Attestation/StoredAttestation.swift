import AttestationFormat
import CutieAPI
import Foundation
import GRDB

/// The key that a device is attested with, and what it signed.
struct StoredAttestation {
    let key: AttestedKey
    let window: CounterWindow
    let createdAt: Timestamp
    let lastAssertionAt: Timestamp?

    /// For `/v1/device/attest/status`.
    var told: Attestation.Key {
        Attestation.Key(
            keyID: key.keyID, environment: key.environment.rawValue,
            signCount: Int(clamping: window.highest), createdAt: createdAt,
            lastAssertionAt: lastAssertionAt)
    }

    fileprivate init?(_ row: Row, _ window: CounterWindow) {
        guard let environment = AttestationEnvironment(rawValue: row["environment"]) else { return nil }
        let (bytes, last): (Data, Int64?) = (row["key"], row["lastAssertionAt"])
        key = AttestedKey(keyID: row["keyID"], key: Array(bytes), environment: environment)
        self.window = window
        createdAt = Timestamp(milliseconds: row["createdAt"])
        lastAssertionAt = last.map { Timestamp(milliseconds: $0) }
    }
}

extension Database {
    /// Nil where the device is not attested.
    func attestation(of device: DeviceID) throws -> StoredAttestation? {
        let row = try row(
            sql: "SELECT * FROM attestation WHERE deviceID = ?", arguments: [device.rawValue])
        return try row.flatMap { StoredAttestation($0, try counters(of: $0["keyID"])) }
    }

    private func counters(of keyID: String) throws -> CounterWindow {
        let row = try row(sql: "SELECT * FROM assertionWindow WHERE keyID = ?", arguments: [keyID])
        guard let row else { return CounterWindow() }
        let (highest, used): (Int64, Int64) = (row["highest"], row["used"])
        return CounterWindow(highest: UInt64(bitPattern: highest), used: UInt64(bitPattern: used))
    }
}
