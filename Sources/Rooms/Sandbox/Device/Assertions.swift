import AttestationFormat
import CutieAPI
import GRDB

/// Who changes something. Registration, attestation, pings and the hand-over ask less: a device without its
/// key could never come back, and the last two are made without a token.
extension Gate {
    /// A device whose token and assertion are right. The assertion is used up even where the change is
    /// refused then.
    func changingDevice(_ call: Call, _ archive: Archive) async throws -> DeviceCredential {
        let credential = try device(call)
        try await archive.change { change in
            let caller = try change.database.caller(credential)
            if has(.attestation) {
                try change.checkAssertion(of: call, by: caller.device, isRequired: requiresAssertions)
            }
        }
        return credential
    }

    /// Such a device, or an admin.
    func changingAnyone(_ call: Call, _ archive: Archive) async throws -> Credential {
        call.header(HeaderName.authorization) == nil
            ? .device(try await changingDevice(call, archive)) : .admin(accessToken: try admin(call))
    }
}

extension Change {
    /// Throws 403 where the request is signed and not by the key that `device` is attested with, or with a
    /// counter that is used up; also where nothing is known of an attestation, so that the device can renew it.
    /// Where it is not signed, only if `isRequired`: SDKs attest and sign nothing.
    func checkAssertion(of call: Call, by device: DeviceID, isRequired: Bool) throws {
        guard let assertion = call.header(HeaderName.appAssertion) else {
            guard try !isRequired || database.attestation(of: device) == nil else {
                throw Refusal(
                    .forbidden, "this device is attested: the request needs an X-App-Assertion",
                    code: .assertionRequired)
            }
            return
        }
        try use(assertion, about: call.subject(for: device), by: device)
    }

    /// An assertion counts once.
    func use(_ assertion: String, about subject: AssertionSubject, by device: DeviceID) throws {
        guard let attestation = try database.attestation(of: device) else { throw Refusal.notAttested }
        var window = attestation.window
        guard window.accept(try verified(assertion, about: subject, by: attestation.key)) else {
            throw Refusal(
                .forbidden, "the assertion's counter was used before, or is too old",
                code: .assertionReplayed)
        }
        try database.run(
            sql: "INSERT OR REPLACE INTO assertionWindow VALUES (?, ?, ?)",
            arguments: [
                attestation.key.keyID, Int64(bitPattern: window.highest), Int64(bitPattern: window.used),
            ])
        try database.run(
            sql: "UPDATE attestation SET lastAssertionAt = ? WHERE deviceID = ?",
            arguments: [now.milliseconds, device.rawValue])
    }

    /// The counter.
    private func verified(
        _ assertion: String, about subject: AssertionSubject, by key: AttestedKey
    ) throws(Refusal) -> UInt64 {
        do {
            return try AttestationVerifier.swiftCrypto.verify(assertion, about: subject, by: key)
        } catch .wrongKeyID {
            throw .notAttested
        } catch {
            throw Refusal(
                .forbidden, "the assertion does not count: \(error)", code: .assertionInvalid)
        }
    }
}

extension Refusal {
    fileprivate static let notAttested = Refusal(
        .forbidden, "this key is not attested here; attest again", code: .notAttested)
}
