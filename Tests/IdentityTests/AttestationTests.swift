import AttestationFormat
import Config
import CutieAPI
import Foundation
import TestSupport
import Testing

@testable import Identity

let challenge = Attestation.Challenge(challenge: "chal-1", expiresAt: nil, expiresIn: 300)
let subject = AssertionSubject.request(
    method: "POST", target: "/v1/conversations", body: Array("{}".utf8), device: "device_1")

extension SecretName {
    static let attestation = SecretName(
        account: "default", address: .production, type: .attestationKey, subject: "device_1")
}

extension AttestationKey {
    func assertion(_ counter: UInt64, about subject: AssertionSubject = subject) async throws -> String {
        try await makeAssertion(about: subject) { counter }
    }
}

/// Returns a copy of `object` in which one byte of `part` is changed.
func altered(
    _ object: AttestationObject, _ part: WritableKeyPath<AttestationObject, Data>
) -> AttestationObject {
    var object = object
    object[keyPath: part][object[keyPath: part].count - 1] ^= 1
    return object
}

func refusal(of body: () throws -> Void) -> AttestationRefusal? {
    do {
        try body()
        return nil
    } catch {
        return error as? AttestationRefusal
    }
}

@Suite struct `Software keys` {
    let verifier = AttestationVerifier.openSSL
    let key: AttestationKey

    init() throws { key = AttestationKey(try SoftwareSigner()) }

    @Test func `The attestation of a software key states that the key is stored in software`() async throws {
        let attested = try verifier.verify(try await key.makeSubmission(for: challenge), for: challenge)
        #expect(attested.keyID == key.id)
        #expect(attested.environment == .software)
    }

    @Test func `The openssl program verifies a signature and computes the same key ID`() async throws {
        let directory = try TemporaryDirectory()
        let submission = try await key.makeSubmission(for: challenge)
        let object = try AttestationObject(base64: submission.attestation)
        try object.key.write(to: directory.url.appending(path: "key"))
        try object.signature.write(to: directory.url.appending(path: "signature"))
        try Data("chal-1|\(key.id)".utf8).write(to: directory.url.appending(path: "data"))
        func openssl(_ arguments: String...) async throws -> String {
            let process = try ChildProcess("/usr/bin/openssl", arguments)
            #expect(try await process.waitForExit() == 0)
            return process.standardOutput
        }
        let verdict = try await openssl(
            "dgst", "-sha256", "-keyform", "DER", "-verify", directory.file("key"), "-signature",
            directory.file("signature"), directory.file("data"))
        #expect(verdict == "Verified OK\n")
        #expect(try await openssl("dgst", "-sha256", "-r", directory.file("key")).hasPrefix(key.id + " "))
    }

    @Test func `An attestation is not valid for a different challenge`() async throws {
        let submission = try await key.makeSubmission(for: challenge)
        let other = Attestation.Challenge(challenge: "chal-2", expiresAt: nil, expiresIn: nil)
        #expect(refusal { _ = try verifier.verify(submission, for: other) } == .badSignature)
    }

    @Test func `A modified attestation is rejected`() async throws {
        let submission = try await key.makeSubmission(for: challenge)
        let object = try AttestationObject(base64: submission.attestation)
        func refusal(of text: String, id: String? = nil) -> AttestationRefusal? {
            IdentityTests.refusal {
                _ = try verifier.verify(
                    Attestation.Submission(keyID: id ?? key.id, attestation: text), for: challenge)
            }
        }
        #expect(refusal(of: altered(object, \.key).base64) == .wrongKeyID)
        #expect(refusal(of: altered(object, \.signature).base64) == .badSignature)
        #expect(refusal(of: object.base64, id: "00") == .wrongKeyID)
        var boasting = object
        boasting.environment = .tpm2
        #expect(refusal(of: boasting.base64) == .badQuote)
        boasting.quote = .init(attested: [0xFF, 0x54, 0x43, 0x47], signature: [1])
        #expect(refusal(of: boasting.base64) == .badQuote)
        for text in ["", "!", "e30=", String(repeating: "A", count: 20_000)] {
            #expect(refusal(of: text) == .malformed)
        }
    }

    @Test func `An assertion is valid only for one request and one counter`() async throws {
        let attested = try verifier.verify(try await key.makeSubmission(for: challenge), for: challenge)
        let assertion = try await key.assertion(7)
        #expect(try verifier.verify(assertion, about: subject, key: attested) == 7)
        let others: [AssertionSubject] = [
            .request(method: "DELETE", target: "/v1/conversations", body: [123, 125], device: "device_1"),
            .request(method: "POST", target: "/v1/conversations?", body: [123, 125], device: "device_1"),
            .request(method: "POST", target: "/v1/conversations", body: [], device: "device_1"),
            .request(method: "POST", target: "/v1/conversations", body: [123, 125], device: "device_2"),
            .clientData("{}"),
        ]
        for other in others {
            #expect(
                refusal { _ = try verifier.verify(assertion, about: other, key: attested) } == .badSignature)
        }
        var raised = try AssertionObject(base64: assertion)
        raised.counter = 8
        #expect(
            refusal { _ = try verifier.verify(raised.base64, about: subject, key: attested) } == .badSignature
        )
        let client = try await key.assertion(8, about: .clientData("chal|x"))
        #expect(try verifier.verify(client, about: .clientData("chal|x"), key: attested) == 8)
    }

    @Test func `An assertion that was signed by another key is rejected`() async throws {
        let attested = try verifier.verify(try await key.makeSubmission(for: challenge), for: challenge)
        let other = AttestationKey(try SoftwareSigner())
        var assertion = try AssertionObject(base64: try await other.assertion(1))
        #expect(
            refusal { _ = try verifier.verify(assertion.base64, about: subject, key: attested) }
                == .wrongKeyID
        )
        assertion.keyID = key.id
        #expect(
            refusal { _ = try verifier.verify(assertion.base64, about: subject, key: attested) }
                == .badSignature)
    }

    @Test func `The device key signs nothing if its counter cannot be stored`() async {
        struct DiskFull: Error {}
        await #expect(throws: DiskFull.self) {
            try await key.makeAssertion(about: subject) { throw DiskFull() }
        }
    }

    @Test func `A key does not sign a challenge that is too long`() async {
        let endless = Attestation.Challenge(
            challenge: String(repeating: "x", count: 513), expiresAt: nil, expiresIn: nil)
        await #expect(throws: SigningFailure.self) { try await key.makeSubmission(for: endless) }
    }
}

@Suite struct `Storage of attestation keys` {
    let state: StateDirectory
    let store: SecretStore

    init() throws {
        state = try StateDirectory()
        store = SecretStore(.file, at: state)
    }

    private let noTPM = ["CUTIED_TPM2_TCTI": "swtpm:path=/nonexistent/tpm"]

    @Test func `A stored software key can be loaded`() async throws {
        let keys = AttestationKeys(in: store, environment: noTPM)
        #expect(try await keys.findKey(named: .attestation)?.id == nil)
        let made = try await keys.createKey(named: .attestation, choice: .software)
        #expect(try await keys.findKey(named: .attestation)?.id == made.id)
        let next = try await keys.createKey(named: .attestation, choice: .software)
        #expect(next.id != made.id)
        #expect(try await keys.findKey(named: .attestation)?.id == next.id)
    }

    @Test
    func `The setting "auto" creates a software key if there is no TPM, and "tpm2" causes an error`()
        async throws
    {
        let keys = AttestationKeys(in: store, environment: noTPM)
        #expect(try await keys.createKey(named: .attestation, choice: .auto).environment == .software)
        #expect(try await keys.findKey(named: .attestation, choice: .tpm2)?.id == nil)
        let refused = await #expect(throws: SigningFailure.self) {
            try await keys.createKey(named: .attestation, choice: .tpm2)
        }
        #expect(refused?.code == .noTPM)
    }

    @Test func `An invalid stored key causes an error`() async throws {
        for text in ["x", #"{"kind":"software","key":"AAAA","key_id":""}"#] {
            try await store.store(Secret(text), as: .attestation)
            let keys = AttestationKeys(in: store, environment: noTPM)
            let refused = await #expect(throws: SigningFailure.self) {
                try await keys.findKey(named: .attestation)
            }
            #expect(refused?.code == .badKey)
        }
    }
}

extension AttestationVerifier {
    static let openSSL = AttestationVerifier(
        sha256: { Digest.sha256($0) },
        isValidSignature: { Digest.isValidSignature($0.signature, for: $0.message, publicKey: $0.key) })
}
