public import AttestationFormat
public import CutieAPI
import FoundationEssentials

/// The attestation keys in the secret store. The store contains a software key, or the seed from which the
/// TPM derives its key.
public struct AttestationKeys: Sendable {
    /// The configured storage of a key.
    public enum Choice: String, Hashable, Sendable, CaseIterable {
        /// The TPM if there is one that the user may access; otherwise, software.
        case auto
        case tpm2, software
    }

    private let store: SecretStore
    private let environment: [String: String]

    /// `environment`: the environment of the process, in which `CUTIED_TPM2_TCTI` selects another TPM than
    /// /dev/tpmrm0.
    public init(in store: SecretStore, environment: [String: String]) {
        self.store = store
        self.environment = environment
    }

    /// Returns the key with this name; `nil` if there is none, or if `choice` excludes its storage. Throws
    /// `SecretFailure` or `SigningFailure`.
    public func findKey(named name: SecretName, choice: Choice = .auto) async throws -> AttestationKey? {
        guard let secret = try await store.findSecret(named: name) else { return nil }
        guard let kept = try? JSON.decode(StoredKey.self, from: secret.bytes) else {
            throw SigningFailure(.badKey, "the attestation key is unusable; run `cutied ctl attest renew`")
        }
        switch (kept.kind, choice) {
        case (.tpm2, .software), (.software, .tpm2): return nil
        case (.software, _): return AttestationKey(try SoftwareSigner(kept.secret))
        case (.tpm2, _):
            let signer = try await TPMSigner(try TPM(environment: environment), seed: kept.secret)
            guard Data(Digest.sha256(signer.publicKey)) == kept.keyID else {
                throw SigningFailure(
                    .badKey, "the TPM was cleared or replaced; run `cutied ctl attest renew`")
            }
            return AttestationKey(signer)
        }
    }

    /// Creates a key and stores it, replacing a previous key with this name. Throws `SecretFailure` or
    /// `SigningFailure`.
    public func createKey(named name: SecretName, choice: Choice) async throws -> AttestationKey {
        let (signer, kept) = try await makeSigner(for: choice)
        try await store.store(Secret(try JSON.encode(kept)), as: name)
        return AttestationKey(signer)
    }

    /// Throws if this computer has no TPM in which the user can create keys.
    public func checkTPM() async throws(SigningFailure) {
        _ = try await TPMSigner(try TPM(environment: environment))
    }

    private func makeSigner(for choice: Choice) async throws(SigningFailure) -> (any Signer, StoredKey) {
        if choice != .software {
            do throws(SigningFailure) {
                let signer = try await TPMSigner(try TPM(environment: environment))
                return (signer, StoredKey(kind: .tpm2, secret: signer.seed, publicKey: signer.publicKey))
            } catch {
                // Fall back to software: many computers have no TPM, or the user may not access it.
                if choice == .tpm2 { throw error }
            }
        }
        let signer = try SoftwareSigner()
        return (signer, StoredKey(kind: .software, secret: signer.privateKey, publicKey: signer.publicKey))
    }
}

/// The content of the secret store entry.
private struct StoredKey: Codable {
    enum Kind: String, Codable {
        case software, tpm2
    }

    let kind: Kind
    let key: Data
    let keyID: Data
    var secret: Secret { Secret(Array(key)) }

    init(kind: Kind, secret: Secret, publicKey: [UInt8]) {
        self.kind = kind
        key = Data(secret.bytes)
        keyID = Data(Digest.sha256(publicKey))
    }

    enum CodingKeys: String, CodingKey {
        case kind, key
        case keyID = "key_id"
    }
}

/// The key with which a device is attested.
public struct AttestationKey: Sendable {
    /// The key ID: the SHA-256 of the SubjectPublicKeyInfo in lowercase hexadecimal.
    public let id: String
    public var environment: AttestationEnvironment { signer.environment }
    private let signer: any Signer

    /// The maximum size of a challenge in bytes. A TPM hashes at most 1024 bytes in one command.
    public static let challengeLimit = 512

    public init(_ signer: any Signer) {
        self.signer = signer
        id = AttestationObject.keyID(of: signer.publicKey, sha256: Digest.sha256)
    }

    /// Returns the body that answers `challenge`. Throws `refused` if signing fails or the challenge is too
    /// long.
    public func makeSubmission(
        for challenge: Attestation.Challenge
    ) async throws(SigningFailure) -> Attestation.Submission {
        guard challenge.challenge.utf8.count <= Self.challengeLimit else {
            throw SigningFailure(.refused, "the server's challenge is too long; check the server address")
        }
        let clientData = Array(challenge.clientData(keyID: id).utf8)
        let signature = try await signer.sign(clientData)
        let quote = try await signer.createQuote(over: Digest.sha256(clientData))
        let object = AttestationObject(
            environment: environment, key: signer.publicKey, signature: signature, quote: quote)
        return Attestation.Submission(keyID: id, attestation: object.base64)
    }

    /// Returns the value of `X-App-Assertion` for `subject`.
    ///
    /// `nextCounter` must never return the same number twice for this key, and must store the number durably
    /// before it returns, because the server rejects a repeated counter as a replay.
    public func makeAssertion(
        about subject: AssertionSubject, nextCounter: () async throws -> UInt64
    ) async throws -> String {
        let counter = try await nextCounter()
        let message = subject.message(counter: counter, sha256: Digest.sha256)
        let signature = try await signer.sign(message)
        return AssertionObject(keyID: id, counter: counter, signature: signature).base64
    }
}

extension AttestationVerifier {
    /// A verifier that uses OpenSSL.
    public static let openSSL = AttestationVerifier(
        sha256: { Digest.sha256($0) },
        isValidSignature: { Digest.isValidSignature($0.signature, of: $0.message, by: $0.key) })
}
