import AttestationFormat
import Crypto
import CutieAPI
import Foundation
import GRDB
import Hummingbird

/// Routes for attestation: a device attests its key and later proves that the key is still available.
struct AttestationRoutes: Sendable {
    let archive: Archive
    let requestParser: RequestParser

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addResource(at: "/v1/device/attest/challenge", [.post: issueChallenge])
        router.addResource(at: "/v1/device/attest", [.post: attest, .delete: removeAttestation])
        router.addResource(at: "/v1/device/attest/assert", [.post: verifyDeviceAssertion])
        router.addResource(at: "/v1/device/attest/status", [.get: showStatus])
    }

    @Sendable private func issueChallenge(_ call: SandboxCall) async throws -> Response {
        let credential = try requestParser.parseDevice(of: call)
        return try .json(
            await archive.change {
                try $0.issueChallenge(to: $0.database.authenticateDevice(with: credential).device)
            })
    }

    @Sendable private func attest(_ call: SandboxCall) async throws -> Response {
        let credential = try requestParser.parseDevice(of: call)
        let outcome = try await archive.change { change in
            let caller = try change.database.authenticateDevice(with: credential)
            return try change.verifyAndStoreAttestation(try call.decodeBody(), by: caller.device)
        }
        return try .json(try outcome.get())
    }

    @Sendable private func verifyDeviceAssertion(_ call: SandboxCall) async throws -> Response {
        let credential = try requestParser.parseDevice(of: call)
        let outcome = try await archive.change { change in
            let caller = try change.database.authenticateDevice(with: credential)
            return try change.verifyDeviceAssertion(try call.decodeBody(), by: caller.device)
        }
        return try .json(try outcome.get())
    }

    @Sendable private func showStatus(_ call: SandboxCall) async throws -> Response {
        let credential = try requestParser.parseDevice(of: call)
        return try .json(
            await archive.read {
                try $0.fetchAttestationState(of: $0.authenticateDevice(with: credential).device)
            })
    }

    /// Deletes the attestation. Requires no assertion, because a device that lost its key cannot create one.
    @Sendable private func removeAttestation(_ call: SandboxCall) async throws -> Response {
        let credential = try requestParser.parseDevice(of: call)
        try await archive.change { change in
            try change.deleteAttestation(of: try change.database.authenticateDevice(with: credential).device)
        }
        return try .json(Success())
    }
}

/// Some functions return a `Refusal` in a `Result` instead of throwing: a thrown error would roll back the
/// transaction, and the consumed challenge would become valid again.
extension SandboxTransaction {
    /// Creates a challenge for the device. A previous challenge becomes invalid.
    func issueChallenge(to device: DeviceID) throws -> Attestation.Challenge {
        let lifetime = 300
        let challenge = Attestation.Challenge(
            challenge: RandomText.makeID(prefix: "cutie_ac_"), expiresAt: now.advanced(bySeconds: lifetime),
            expiresIn: lifetime)
        try database.run(
            sql: "INSERT OR REPLACE INTO attestationChallenge VALUES (?, ?, ?)",
            arguments: [
                device.rawValue, challenge.challenge, now.advanced(bySeconds: lifetime).milliseconds,
            ])
        return challenge
    }

    /// Verifies an attestation. Stores the key of the device and replaces any previous key. Returns most errors
    /// in a `Result`, because a thrown error would roll back the deletion of the challenge.
    func verifyAndStoreAttestation(
        _ submission: Attestation.Submission, by device: DeviceID
    ) throws -> Result<Attestation.Accepted, Refusal> {
        guard let challenge = try consumeChallenge(of: device) else { return .failure(.noChallenge) }
        let key: AttestedKey
        do {
            key = try AttestationVerifier.swiftCrypto.verify(submission, for: challenge)
        } catch {
            let sentence = "the attestation is not valid: \(error)"
            return .failure(Refusal(.forbidden, sentence, code: .attestationInvalid))
        }
        let id = RandomText.makeID(prefix: "att_")
        try database.run(
            sql: "INSERT OR REPLACE INTO attestation VALUES (?, ?, ?, ?, ?, ?, NULL)",
            arguments: [
                device.rawValue, id, key.keyID, Data(key.key), key.environment.rawValue, now.milliseconds,
            ])
        return .success(Attestation.Accepted(success: true, attestationID: id, attested: true))
    }

    /// Verifies that the device can still sign with its key. Returns the attestation state. Returns most errors
    /// in a `Result`, because a thrown error would roll back the deletion of the challenge.
    func verifyDeviceAssertion(
        _ assertion: Attestation.Assertion, by device: DeviceID
    ) throws -> Result<Attestation.State, Refusal> {
        guard let challenge = try consumeChallenge(of: device) else { return .failure(.noChallenge) }
        guard assertion.clientData == challenge.clientData(keyID: assertion.keyID) else {
            let sentence = "client_data must be the open challenge, | and key_id"
            return .failure(Refusal(.forbidden, sentence, code: .assertionInvalid))
        }
        do {
            try consumeAssertion(assertion.assertion, about: .clientData(assertion.clientData), by: device)
        } catch let refusal as Refusal {
            return .failure(refusal)
        }
        return .success(try database.fetchAttestationState(of: device))
    }

    /// Deletes the attestation and any pending challenge of the device.
    func deleteAttestation(of device: DeviceID) throws {
        for table in ["attestation", "attestationChallenge"] {
            try database.run(
                sql: "DELETE FROM \(table) WHERE deviceID = ?", arguments: [device.rawValue])
        }
    }

    /// Removes and returns the pending challenge of the device; `nil` if the challenge is missing or has
    /// expired.
    private func consumeChallenge(of device: DeviceID) throws -> Attestation.Challenge? {
        let row = try database.fetchRow(
            sql: "DELETE FROM attestationChallenge WHERE deviceID = ? RETURNING *",
            arguments: [device.rawValue])
        guard let row else { return nil }
        let expiry = Timestamp(milliseconds: row["expiresAt"])
        guard expiry > now else { return nil }
        return Attestation.Challenge(challenge: row["challenge"], expiresAt: expiry, expiresIn: nil)
    }
}

extension Database {
    func fetchAttestationState(of device: DeviceID) throws -> Attestation.State {
        let attestation = try findAttestation(of: device)
        return Attestation.State(attested: attestation != nil, attestation: attestation?.apiKey)
    }
}

extension Refusal {
    fileprivate static let noChallenge = Refusal(
        .forbidden, "there is no open challenge; request one", code: .challengeUnknown)
}

/// The attested key of a device and the window of used assertion counters.
struct StoredAttestation {
    let key: AttestedKey
    let window: CounterWindow
    let createdAt: Timestamp
    let lastAssertionAt: Timestamp?

    /// The attestation as returned by `/v1/device/attest/status`.
    var apiKey: Attestation.Key {
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
    /// Returns the attestation of a device; `nil` if the device is not attested.
    func findAttestation(of device: DeviceID) throws -> StoredAttestation? {
        let row = try fetchRow(
            sql: "SELECT * FROM attestation WHERE deviceID = ?", arguments: [device.rawValue])
        return try row.flatMap { StoredAttestation($0, try fetchCounterWindow(of: $0["keyID"])) }
    }

    private func fetchCounterWindow(of keyID: String) throws -> CounterWindow {
        let row = try fetchRow(sql: "SELECT * FROM assertionWindow WHERE keyID = ?", arguments: [keyID])
        guard let row else { return CounterWindow() }
        let (highest, used): (Int64, Int64) = (row["highest"], row["used"])
        return CounterWindow(highest: UInt64(bitPattern: highest), used: UInt64(bitPattern: used))
    }
}

extension AttestationVerifier {
    static let swiftCrypto = AttestationVerifier(
        sha256: { Array(SHA256.hash(data: $0)) },
        isValidSignature: { signed in
            guard let key = try? P256.Signing.PublicKey(derRepresentation: signed.key),
                let signature = try? P256.Signing.ECDSASignature(derRepresentation: signed.signature)
            else { return false }
            return key.isValidSignature(signature, for: signed.message)
        })
}
