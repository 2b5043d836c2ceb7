import AttestationFormat
import CutieAPI
import Foundation
import GRDB

/// A refusal is a result where the challenge is used up by it, too: an error would undo that.
extension Change {
    /// The device's only challenge: one that it asked for before is void.
    func challenge(_ device: DeviceID) throws -> Attestation.Challenge {
        let life = 300
        let challenge = Attestation.Challenge(
            challenge: Secret.make("cutie_ac_"), expiresAt: now.advanced(bySeconds: life), expiresIn: life)
        try database.run(
            sql: "INSERT OR REPLACE INTO attestationChallenge VALUES (?, ?, ?)",
            arguments: [
                device.rawValue, challenge.challenge, now.advanced(bySeconds: life).milliseconds,
            ])
        return challenge
    }

    /// Takes the key for the device's, in the place of the one before.
    func attest(
        _ submission: Attestation.Submission, as device: DeviceID
    ) throws -> Result<Attestation.Accepted, Refusal> {
        guard let challenge = try takeChallenge(of: device) else { return .failure(.noChallenge) }
        let key: AttestedKey
        do {
            key = try AttestationVerifier.swiftCrypto.verify(submission, for: challenge)
        } catch {
            let sentence = "the attestation does not count: \(error)"
            return .failure(Refusal(.forbidden, sentence, code: .attestationInvalid))
        }
        let id = Secret.make("att_")
        try database.run(
            sql: "INSERT OR REPLACE INTO attestation VALUES (?, ?, ?, ?, ?, ?, NULL)",
            arguments: [
                device.rawValue, id, key.keyID, Data(key.key), key.environment.rawValue, now.milliseconds,
            ])
        return .success(Attestation.Accepted(success: true, attestationID: id, attested: true))
    }

    /// Lets the device show that it still holds its key. Returns what is known of the key then.
    func assert(
        _ assertion: Attestation.Assertion, by device: DeviceID
    ) throws -> Result<Attestation.State, Refusal> {
        guard let challenge = try takeChallenge(of: device) else { return .failure(.noChallenge) }
        guard assertion.clientData == challenge.clientData(keyID: assertion.keyID) else {
            let sentence = "client_data is not the open challenge, | and key_id"
            return .failure(Refusal(.forbidden, sentence, code: .assertionInvalid))
        }
        do {
            try use(assertion.assertion, about: .clientData(assertion.clientData), by: device)
        } catch let refusal as Refusal {
            return .failure(refusal)
        }
        return .success(try database.attestationState(of: device))
    }

    /// The device, or the server, knows nothing of an attestation then.
    func forgetAttestation(of device: DeviceID) throws {
        for table in ["attestation", "attestationChallenge"] {
            try database.run(
                sql: "DELETE FROM \(table) WHERE deviceID = ?", arguments: [device.rawValue])
        }
    }

    /// Nil where there is none, or it is too old. It is used up then.
    private func takeChallenge(of device: DeviceID) throws -> Attestation.Challenge? {
        let row = try database.row(
            sql: "DELETE FROM attestationChallenge WHERE deviceID = ? RETURNING *",
            arguments: [device.rawValue])
        guard let row else { return nil }
        let expiry = Timestamp(milliseconds: row["expiresAt"])
        guard expiry > now else { return nil }
        return Attestation.Challenge(challenge: row["challenge"], expiresAt: expiry, expiresIn: nil)
    }
}

extension Database {
    func attestationState(of device: DeviceID) throws -> Attestation.State {
        let attestation = try attestation(of: device)
        return Attestation.State(attested: attestation != nil, attestation: attestation?.told)
    }
}

extension Refusal {
    fileprivate static let noChallenge = Refusal(
        .forbidden, "no challenge is open; ask for one", code: .challengeUnknown)
}
