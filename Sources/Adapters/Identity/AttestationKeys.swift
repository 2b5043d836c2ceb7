import CutieAPI
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
        guard let kept = try? JSON.decode(Kept.self, from: secret.bytes) else {
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

    private func signer(_ choice: Choice) async throws(SigningFailure) -> (any Signer, Kept) {
        if choice != .software {
            do throws(SigningFailure) {
                let signer = try await TPMSigner(try TPM(environment: environment))
                return (signer, Kept(kind: .tpm2, secret: signer.seed, publicKey: signer.publicKey))
            } catch {
                // Machines without a TPM, or whose owner keeps it closed, are the rule.
                if choice == .tpm2 { throw error }
            }
        }
        let signer = try SoftwareSigner()
        return (signer, Kept(kind: .software, secret: signer.privateKey, publicKey: signer.publicKey))
    }
}

/// What is in the secret store.
private struct Kept: Codable {
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
