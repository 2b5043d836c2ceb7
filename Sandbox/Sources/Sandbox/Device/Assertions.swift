import AttestationFormat
import CutieAPI
import GRDB

/// Authentication of requests that change data, with a token and an assertion. Some requests are
/// exempt: registration and attestation need no assertion, because a device that lost its key could
/// otherwise not recover; activity pings need no token, because they are anonymous; and the hand-over
/// to the Feedback App needs no token, because the link SDK has none.
extension RequestParser {
    /// Checks the token and the assertion of a device. Returns its credentials. Consumes the assertion
    /// even if the request fails later.
    func authenticateSendingDevice(of call: SandboxCall, in archive: Archive) async throws -> DeviceCredential
    {
        let credential = try parseDevice(of: call)
        try await archive.change { change in
            let caller = try change.database.authenticateDevice(with: credential)
            if isEnabled(.attestation) {
                try change.consumeAssertion(
                    of: call, by: caller.device, isRequired: requiresAssertions)
            }
        }
        return credential
    }

    /// Checks the token and the assertion of a device, or parses the access token of an admin, which
    /// the caller must check.
    func authenticateSender(of call: SandboxCall, in archive: Archive) async throws -> Credential {
        call.header(HeaderName.authorization) == nil
            ? .device(try await authenticateSendingDevice(of: call, in: archive))
            : .admin(accessToken: try parseAccessToken(of: call))
    }
}

extension SandboxTransaction {
    /// Verifies the assertion of a request, and marks the assertion as used.
    ///
    /// - Parameter isRequired: if `false`, an attested device may send requests without an assertion,
    ///   because some SDKs attest but never sign requests.
    /// - Throws: `Refusal` (403) if the assertion is invalid or replayed, or if a required assertion is
    ///   missing. Also throws if a device that is not attested sends an assertion, so that the device
    ///   attests again.
    func consumeAssertion(of call: SandboxCall, by device: DeviceID, isRequired: Bool) throws {
        guard let assertion = call.header(HeaderName.appAssertion) else {
            guard try !isRequired || database.findAttestation(of: device) == nil else {
                throw Refusal(
                    .forbidden, "this device is attested: the request needs an X-App-Assertion",
                    code: .assertionRequired)
            }
            return
        }
        try consumeAssertion(assertion, about: call.assertionSubject(for: device), by: device)
    }

    /// Verifies an assertion and marks its counter as used, so that the assertion cannot be replayed.
    func consumeAssertion(_ assertion: String, about subject: AssertionSubject, by device: DeviceID) throws {
        guard let attestation = try database.findAttestation(of: device) else { throw Refusal.notAttested }
        var window = attestation.window
        guard window.markUsed(try verifyAssertion(assertion, about: subject, key: attestation.key)) else {
            throw Refusal(
                .forbidden, "the assertion's counter was already used or is too old",
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

    /// Verifies an assertion. Returns its counter.
    private func verifyAssertion(
        _ assertion: String, about subject: AssertionSubject, key: AttestedKey
    ) throws(Refusal) -> UInt64 {
        do {
            return try AttestationVerifier.swiftCrypto.verify(assertion, about: subject, key: key)
        } catch .wrongKeyID {
            throw .notAttested
        } catch {
            throw Refusal(
                .forbidden, "the assertion is not valid: \(error)", code: .assertionInvalid)
        }
    }
}

extension Refusal {
    fileprivate static let notAttested = Refusal(
        .forbidden, "this key is not attested by this server; attest again", code: .notAttested)
}
