public import AttestationFormat
public import CutieAPI
import FoundationEssentials

/// Makes attestation keys and finds them again: a software key in the secret store, of a TPM's only what the
/// TPM makes it from.
public struct AttestationKeys: Sendable {
    /// Where a key is to live.
    public enum Choice: String, Hashable, Sendable, CaseIterable {
        /// In the TPM where there is one the user may use, else in software.
        case auto
        case tpm2, software
    }

    private let store: SecretStore
    private let environment: [String: String]

    /// `environment` is the process's: `CUTIED_TPM2_TCTI` names another TPM than /dev/tpmrm0.
    public init(in store: SecretStore, environment: [String: String]) {
        self.store = store
        self.environment = environment
    }

    /// The key kept under `name`; nil where there is none, or `choice` wants it elsewhere. Throws
    /// `SecretFailure` or `SigningFailure`.
    public func key(_ name: SecretName, _ choice: Choice = .auto) async throws -> AttestationKey? {
        guard let secret = try await store.secret(name) else { return nil }
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
                    .badKey, "the TPM was cleared or is another one; run `cutied ctl attest renew`")
            }
            return AttestationKey(signer)
        }
    }

    /// Makes a key and keeps it in the place of what had its name. Throws `SecretFailure` or
    /// `SigningFailure`.
    public func make(_ name: SecretName, _ choice: Choice) async throws -> AttestationKey {
        let (signer, kept) = try await signer(choice)
        try await store.keep(Secret(try JSON.encode(kept)), as: name)
        return AttestationKey(signer)
    }

    /// Whether this machine has a TPM that makes keys for this user; throws why not.
    public func checkTPM() async throws(SigningFailure) {
        _ = try await TPMSigner(try TPM(environment: environment))
    }

    private func signer(_ choice: Choice) async throws(SigningFailure) -> (any Signer, StoredKey) {
        if choice != .software {
            do throws(SigningFailure) {
                let signer = try await TPMSigner(try TPM(environment: environment))
                return (signer, StoredKey(kind: .tpm2, secret: signer.seed, publicKey: signer.publicKey))
            } catch {
                // Machines without a TPM, or whose owner keeps it closed, are the rule.
                if choice == .tpm2 { throw error }
            }
        }
        let signer = try SoftwareSigner()
        return (signer, StoredKey(kind: .software, secret: signer.privateKey, publicKey: signer.publicKey))
    }
}

/// What is in the secret store.
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

/// The key a device attests with: what is sent of it, and what is signed by it.
public struct AttestationKey: Sendable {
    /// Lower-case hexadecimal SHA-256 of the SubjectPublicKeyInfo.
    public let id: String
    public var environment: AttestationEnvironment { signer.environment }
    private let signer: any Signer

    /// Bytes of a challenge. A TPM hashes 1024 at once.
    public static let challengeLimit = 512

    public init(_ signer: any Signer) {
        self.signer = signer
        id = AttestationObject.keyID(of: signer.publicKey, sha256: Digest.sha256)
    }

    /// The answer to `challenge`. Throws `refused` also where the challenge is longer than any server's.
    public func submission(
        for challenge: Attestation.Challenge
    ) async throws(SigningFailure) -> Attestation.Submission {
        guard challenge.challenge.utf8.count <= Self.challengeLimit else {
            throw SigningFailure(.refused, "the server's challenge is too long; look at its address")
        }
        let clientData = Array(challenge.clientData(keyID: id).utf8)
        let signature = try await signer.signature(of: clientData)
        let quote = try await signer.quote(over: Digest.sha256(clientData))
        let object = AttestationObject(
            environment: environment, key: signer.publicKey, signature: signature, quote: quote)
        return Attestation.Submission(keyID: id, attestation: object.base64)
    }

    /// What `X-App-Assertion` carries for `subject`.
    ///
    /// `nextCounter` returns a number that it has never returned for this key, kept durably before it
    /// returns: a counter used twice is a replay to the server.
    public func assertion(
        about subject: AssertionSubject, nextCounter: () async throws -> UInt64
    ) async throws -> String {
        let counter = try await nextCounter()
        let message = subject.message(counter: counter, sha256: Digest.sha256)
        let signature = try await signer.signature(of: message)
        return AssertionObject(keyID: id, counter: counter, signature: signature).base64
    }
}

extension AttestationVerifier {
    /// With OpenSSL.
    public static let openSSL = AttestationVerifier(
        sha256: { Digest.sha256($0) },
        isSignature: { Digest.isSignature($0.signature, of: $0.message, by: $0.key) })
}
