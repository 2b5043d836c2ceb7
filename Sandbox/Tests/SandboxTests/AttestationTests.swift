import AttestationFormat
import Crypto
import CutieAPI
import Foundation
import Testing

@Suite struct AttestationTests {
    @Test func `After a device attests its key, the server reports the device as attested`() async throws {
        try await withSandbox { sandbox in
            let (device, key) = (try await sandbox.device(), TestKey())
            #expect(try await device.attestationState() == .init(attested: false, attestation: nil))
            let challenge = try await device.challenge()
            #expect(challenge.expiresIn == 300)
            let answer = try await device.submit(try key.submission(for: challenge))
            let accepted: Attestation.Accepted = try answer.decoded()
            #expect(accepted.success && accepted.attested && accepted.attestationID != nil)
            let known = try #require(try await device.attestationState().attestation)
            #expect(known.keyID == key.id && known.environment == "software" && known.signCount == 0)
            #expect(known.lastAssertionAt == nil)
        }
    }

    @Test func `An attestation challenge can be used only once, even if the attestation was invalid`()
        async throws
    {
        try await withSandbox { sandbox in
            let (device, key) = (try await sandbox.device(), TestKey())
            let used = try await device.challenge()
            #expect(try await device.submit(try key.submission(for: used)).status == 200)
            let again = try await device.submit(try key.submission(for: used))
            #expect(again.status == 403 && again.code == .challengeUnknown)
            let burnt = try await device.challenge()
            let guess = Attestation.Challenge(challenge: "guessed", expiresAt: nil, expiresIn: nil)
            #expect(try await device.submit(try key.submission(for: guess)).code == .attestationInvalid)
            #expect(try await device.submit(try key.submission(for: burnt)).code == .challengeUnknown)
        }
    }

    @Test func `Only the newest attestation challenge of a device is valid, and only for this device`()
        async throws
    {
        try await withSandbox { sandbox in
            let (device, other, key) = (try await sandbox.device(), try await sandbox.device(), TestKey())
            let old = try await device.challenge()
            let new = try await device.challenge()
            #expect(old.challenge != new.challenge)
            #expect(try await other.submit(try key.submission(for: new)).code == .challengeUnknown)
            #expect(try await device.submit(try key.submission(for: old)).code == .attestationInvalid)
        }
    }

    @Test func `An attestation with an invalid proof is rejected`() async throws {
        try await withSandbox { sandbox in
            let (device, key, other) = (try await sandbox.device(), TestKey(), TestKey())
            var foreign = try other.submission(for: try await device.challenge())
            foreign.keyID = key.id
            #expect(try await device.submit(foreign).code == .attestationInvalid)
            let claims = try key.submission(for: try await device.challenge(), in: .tpm2)
            #expect(try await device.submit(claims).code == .attestationInvalid)
            _ = try await device.challenge()
            let garbage = Attestation.Submission(keyID: key.id, attestation: "AAAA")
            #expect(try await device.submit(garbage).code == .attestationInvalid)
            #expect(try await device.attestationState().attested == false)
        }
    }

    @Test func `A TPM quote must contain the issued challenge`() async throws {
        try await withSandbox { sandbox in
            let (device, key) = (try await sandbox.device(), TestKey())
            func submit(quoting text: (Attestation.Challenge) -> String) async throws -> Int {
                let challenge = try await device.challenge()
                let quote = try key.quote(over: Array(SHA256.hash(data: Data(text(challenge).utf8))))
                return try await device.submit(
                    try key.submission(for: challenge, quote: quote, in: .tpm2)
                ).status
            }
            #expect(try await submit { _ in "another|\(key.id)" } == 403)
            #expect(try await submit { $0.clientData(keyID: key.id) } == 200)
            #expect(try await device.attestationState().attestation?.environment == "tpm2")
        }
    }

    @Test func `An attested device can prove with an assertion that it still has the attested key`()
        async throws
    {
        try await withSandbox { sandbox in
            let (device, key) = (try await sandbox.device(), TestKey())
            func assert(_ challenge: Attestation.Challenge) async throws -> RunningSandbox.Answer {
                let text = challenge.clientData(keyID: key.id)
                let assertion = Attestation.Assertion(
                    keyID: key.id, assertion: try key.assertion(about: .clientData(text)), clientData: text)
                let body = try device.text(of: assertion)
                return try await device.call("POST", "/v1/device/attest/assert", body)
            }
            #expect(try await assert(try await device.challenge()).code == .notAttested)
            try await device.attest(with: key)
            let challenge = try await device.challenge()
            #expect(try await assert(challenge).status == 200)
            #expect(try await assert(challenge).code == .challengeUnknown)
            let known = try await device.attestationState().attestation
            #expect(known?.signCount == 2 && known?.lastAssertionAt != nil)
        }
    }

    @Test func `A device can attest a key again after the device or the server has lost its data`()
        async throws
    {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let key = TestKey()
            try await device.attest(with: key)
            let path = "/v1/sandbox/devices/\(device.id)/forget-attestation"
            #expect(try await admin.call("POST", path).status == 200)
            let body = #"{"app_id":"app_sandbox","category":"bug","initial_message":"x"}"#
            let forgotten = try await device.signed("POST", "/v1/conversations", body, by: key)
            #expect(forgotten.status == 403 && forgotten.code == .notAttested)
            try await device.attest(with: key)
            #expect(try await device.signed("POST", "/v1/conversations", body, by: key).status == 201)
            #expect(try await device.call("DELETE", "/v1/device/attest").status == 200)
            #expect(try await device.attestationState().attested == false)
            _ = try await device.begin()
        }
    }
}
