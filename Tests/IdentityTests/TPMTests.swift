import AttestationFormat
import Config
import CutieAPI
import Foundation
import TestSupport
import Testing

@testable import Identity

@Suite struct `TPM keys` {
    let verifier = AttestationVerifier.openSSL
    let state: StateDirectory
    let store: SecretStore

    init() throws {
        state = try StateDirectory()
        store = SecretStore(.file, at: state)
    }

    @Test func `A TPM key is attested with a quote and signs assertions`() async throws {
        let tpm = try await SoftwareTPM()
        let key = try await AttestationKeys(in: store, environment: tpm.environment).createKey(
            named: .attestation, choice: .auto)
        #expect(key.environment == .tpm2)
        let attested = try verifier.verify(try await key.makeSubmission(for: challenge), for: challenge)
        #expect(attested.environment == .tpm2)
        for counter in 1...3 as ClosedRange<UInt64> {
            let assertion = try await key.assertion(counter)
            #expect(try verifier.verify(assertion, about: subject, key: attested) == counter)
        }
    }

    @Test func `A quote for a different challenge is rejected`() async throws {
        let tpm = try await SoftwareTPM()
        let key = try await AttestationKeys(in: store, environment: tpm.environment).createKey(
            named: .attestation, choice: .tpm2)
        let older = Attestation.Challenge(challenge: "chal-0", expiresAt: nil, expiresIn: nil)
        let submission = try await key.makeSubmission(for: challenge)
        var object = try AttestationObject(base64: submission.attestation)
        let good = try #require(object.quote)
        let others = [
            try AttestationObject(base64: try await key.makeSubmission(for: older).attestation).quote, nil,
            .init(attested: Array(good.attested.dropLast()), signature: Array(good.signature)),
            .init(attested: Array(good.attested), signature: Array(object.signature)),
        ]
        for other in others {
            object.quote = other
            let changed = Attestation.Submission(keyID: key.id, attestation: object.base64)
            #expect(refusal { _ = try verifier.verify(changed, for: challenge) } == .badQuote)
        }
    }

    @Test func `A TPM key survives a restart, and cannot be loaded as a software key`() async throws {
        let tpm = try await SoftwareTPM()
        let made = try await AttestationKeys(in: store, environment: tpm.environment).createKey(
            named: .attestation, choice: .tpm2)
        try await tpm.stop()
        let again = try await SoftwareTPM(continuing: tpm)
        let keys = AttestationKeys(in: store, environment: again.environment)
        #expect(try await keys.findKey(named: .attestation, choice: .tpm2)?.id == made.id)
        #expect(try await keys.findKey(named: .attestation, choice: .software)?.id == nil)
    }

    @Test func `A TPM key cannot be used with another TPM`() async throws {
        let tpm = try await SoftwareTPM(), other = try await SoftwareTPM()
        _ = try await AttestationKeys(in: store, environment: tpm.environment).createKey(
            named: .attestation, choice: .tpm2)
        let keys = AttestationKeys(in: store, environment: other.environment)
        let refused = await #expect(throws: SigningFailure.self) {
            try await keys.findKey(named: .attestation)
        }
        #expect(refused?.code == .badKey)
    }

    @Test func `A missing TPM causes an error`() async throws {
        let tpm = try await SoftwareTPM()
        let keys = AttestationKeys(in: store, environment: tpm.environment)
        try await keys.requireTPM()
        let key = try await keys.createKey(named: .attestation, choice: .tpm2)
        try await tpm.stop()
        let refused = await #expect(throws: SigningFailure.self) {
            try await key.makeSubmission(for: challenge)
        }
        #expect(refused?.code == .noTPM)
    }
}

/// A software TPM: a swtpm process with its sockets in a temporary directory.
final class SoftwareTPM: Sendable {
    private let directory: TemporaryDirectory
    private let process: ChildProcess
    /// The environment for `TPM` and `AttestationKeys`.
    var environment: [String: String] { ["CUTIED_TPM2_TCTI": "swtpm:path=" + directory.file("tpm")] }

    /// Starts a software TPM. If `other` is given, the new process uses the stored state of `other`.
    init(continuing other: SoftwareTPM? = nil) async throws {
        directory = try other?.directory ?? TemporaryDirectory()
        let socket = directory.file("tpm")
        process = try ChildProcess(
            "/usr/bin/swtpm",
            [
                "socket", "--tpm2", "--tpmstate", "dir=" + directory.path, "--flags",
                "not-need-init,startup-clear",
                "--server", "type=unixio,path=" + socket, "--ctrl", "type=unixio,path=" + socket + ".ctrl",
            ])
        // Waits for a response, because the sockets exist before swtpm accepts connections.
        let probe = try TPM(environment: environment)
        try await eventually("answer of swtpm (\(process.standardError))") {
            (try? await probe.derivePublicKey(fromSeed: Array(repeating: 0, count: 32))) != nil
        }
    }

    /// Stops the process. The state of the TPM remains on the disk.
    func stop() async throws {
        process.signal(SIGKILL)
        try await process.waitForExit()
        for name in ["tpm", "tpm.ctrl"] { try? FileManager.default.removeItem(atPath: directory.file(name)) }
    }
}
