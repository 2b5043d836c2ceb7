public import AttestationFormat
public import CutieAPI
import FoundationEssentials
import Reasons

/// The attestation keys. The secret store contains the software key, or the seed from which the TPM derives
/// the key.
public struct AttestationKeys: Sendable {
    /// The configured type of key.
    public enum Choice: String, Hashable, Sendable, CaseIterable {
        /// A TPM key if the computer has a TPM that the user may access; otherwise, a software key.
        case auto
        case tpm2, software
    }

    private let store: SecretStore
    private let environment: [String: String]

    /// Creates the collection of keys in `store`.
    ///
    /// - Parameter environment: the environment of the process. `CUTIED_TPM2_TCTI` selects a TPM other than
    ///   /dev/tpmrm0.
    public init(in store: SecretStore, environment: [String: String]) {
        self.store = store
        self.environment = environment
    }

    /// Returns the key with this name; `nil` if there is no key, or if `choice` excludes its type. Throws
    /// `SecretFailure` or `SigningFailure`.
    public func findKey(named name: SecretName, choice: Choice = .auto) async throws -> AttestationKey? {
        guard let secret = try await store.findSecret(named: name) else { return nil }
        guard let kept = try? JSON.decode(StoredKey.self, from: secret.bytes) else {
            throw SigningFailure(.badKey, Reason(.attestationKeyUnusable))
        }
        switch (kept.kind, choice) {
        case (.tpm2, .software), (.software, .tpm2): return nil
        case (.software, _): return AttestationKey(try SoftwareSigner(kept.secret))
        case (.tpm2, _):
            let signer = try await TPMSigner(try TPM(environment: environment), seed: kept.secret)
            guard Data(Digest.sha256(signer.publicKey)) == kept.keyID else {
                throw SigningFailure(.badKey, Reason(.tpmReplaced))
            }
            return AttestationKey(signer)
        }
    }

    /// Creates and stores a key. Replaces any previous key with this name. Throws `SecretFailure` or
    /// `SigningFailure`.
    public func createKey(named name: SecretName, choice: Choice) async throws -> AttestationKey {
        let (signer, kept) = try await makeSigner(for: choice)
        try await store.store(Secret(try JSON.encode(kept)), as: name)
        return AttestationKey(signer)
    }

    /// Throws if the computer has no TPM, or if the user is not allowed to create keys in the TPM.
    public func requireTPM() async throws(SigningFailure) {
        _ = try await TPMSigner(try TPM(environment: environment))
    }

    private func makeSigner(for choice: Choice) async throws(SigningFailure) -> (any Signer, StoredKey) {
        if choice != .software {
            do throws(SigningFailure) {
                let signer = try await TPMSigner(try TPM(environment: environment))
                return (signer, StoredKey(kind: .tpm2, secret: signer.seed, publicKey: signer.publicKey))
            } catch {
                // With `auto`, fall back to a software key: there may be no TPM, or the user may lack access
                // to it.
                if choice == .tpm2 { throw error }
            }
        }
        let signer = try SoftwareSigner()
        return (signer, StoredKey(kind: .software, secret: signer.privateKey, publicKey: signer.publicKey))
    }
}

/// The JSON of a key in the secret store.
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

/// A key that attests a device and signs its requests.
public struct AttestationKey: Sendable {
    /// The key ID: the SHA-256 of the SubjectPublicKeyInfo, in lowercase hexadecimal.
    public let id: String
    public var environment: AttestationEnvironment { signer.environment }
    private let signer: any Signer

    /// The maximum size of a challenge, in bytes. The limit exists because a TPM hashes at most 1024 bytes in
    /// one command, and the challenge is hashed together with the key ID.
    public static let challengeLimit = 512

    public init(_ signer: any Signer) {
        self.signer = signer
        id = AttestationObject.keyID(of: signer.publicKey, sha256Function: Digest.sha256)
    }

    /// Returns the request body with the attestation for `challenge`. Throws `refused` if the challenge is
    /// too long or signing fails.
    public func makeSubmission(
        for challenge: Attestation.Challenge
    ) async throws(SigningFailure) -> Attestation.Submission {
        guard challenge.challenge.utf8.count <= Self.challengeLimit else {
            throw SigningFailure(.refused, Reason(.challengeTooLong))
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
    /// - Parameter nextCounter: returns a number that is unique for this key. The closure must store the
    ///   number durably before it returns, because the server rejects a repeated counter as a replay.
    public func makeAssertion(
        about subject: AssertionSubject, nextCounter: () async throws -> UInt64
    ) async throws -> String {
        let counter = try await nextCounter()
        let message = subject.messageToSign(counter: counter, sha256Function: Digest.sha256)
        let signature = try await signer.sign(message)
        return AssertionObject(keyID: id, counter: counter, signature: signature).base64
    }
}
