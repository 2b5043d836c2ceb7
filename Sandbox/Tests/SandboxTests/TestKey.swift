import AttestationFormat
import Crypto
import CutieAPI
import Foundation
import Synchronization
import Testing

/// The attestation key of a simulated device.
final class TestKey: Sendable {
    private let key = P256.Signing.PrivateKey()
    private let counter = Mutex<UInt64>(0)
    private var bytes: [UInt8] { Array(key.publicKey.derRepresentation) }

    var id: String { AttestationObject.keyID(of: bytes) { Array(SHA256.hash(data: $0)) } }

    func submission(
        for challenge: Attestation.Challenge, quote: AttestationObject.Quote? = nil,
        in environment: AttestationEnvironment = .software
    ) throws -> Attestation.Submission {
        let clientData = Array(challenge.clientData(keyID: id).utf8)
        let object = AttestationObject(
            environment: environment, key: bytes, signature: try sign(clientData), quote: quote)
        return Attestation.Submission(keyID: id, attestation: object.base64)
    }

    /// Returns an assertion with the counter `given`, or with the next counter if `given` is `nil`.
    func assertion(about subject: AssertionSubject, counter given: UInt64? = nil) throws -> String {
        let counter =
            given
            ?? counter.withLock { counter in
                counter += 1
                return counter
            }
        let message = subject.messageToSign(counter: counter) { Array(SHA256.hash(data: $0)) }
        return AssertionObject(keyID: id, counter: counter, signature: try sign(message)).base64
    }

    /// Returns a TPM quote signed with this key.
    func quote(over hash: [UInt8]) throws -> AttestationObject.Quote {
        let attested: [UInt8] =
            [0xFF, 0x54, 0x43, 0x47, 0x80, 0x18, 0, 1, 7, 0, UInt8(hash.count)] + hash
        return AttestationObject.Quote(attested: attested, signature: try sign(attested))
    }

    func sign(_ bytes: [UInt8]) throws -> [UInt8] {
        Array(try key.signature(for: bytes).derRepresentation)
    }
}

extension TestDevice {
    func challenge() async throws -> Attestation.Challenge {
        try await call("POST", "/v1/device/attest/challenge").decoded()
    }

    func submit(_ submission: Attestation.Submission) async throws -> RunningSandbox.Answer {
        try await call("POST", "/v1/device/attest", text(of: submission))
    }

    func attest(with key: TestKey) async throws {
        let answer = try await submit(try key.submission(for: try await challenge()))
        try #require(answer.status == 200, "\(answer.error ?? "")")
    }

    func text(of body: some Encodable) throws -> String {
        String(decoding: try JSON.encode(body), as: UTF8.self)
    }

    func attestationState() async throws -> Attestation.State {
        try await call("GET", "/v1/device/attest/status").decoded()
    }

    /// Sends a request that is signed with `key`, in the same way as the daemon signs requests.
    func signed(
        _ method: String, _ path: String, _ body: String? = nil, by key: TestKey
    ) async throws -> RunningSandbox.Answer {
        let subject = AssertionSubject.request(
            method: method, target: path, body: Array((body ?? "").utf8), device: id)
        return try await call(method, path, body, ["X-App-Assertion": try key.assertion(about: subject)])
    }
}

extension RunningSandbox.Answer {
    var code: ErrorCode? { try? decoded(ErrorBody.self).code }
}
