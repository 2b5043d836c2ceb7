import AttestationFormat
import COpenSSL
import CTPM2

/// A key that has never been outside a TPM.
struct TPMSigner: Signer {
    let environment = AttestationEnvironment.tpm2
    let publicKey: [UInt8]
    /// What the TPM makes the key from, together with a secret of its own. Says nothing without that TPM.
    let seed: Secret
    private let tpm: TPM

    /// Makes a key.
    init(_ tpm: TPM) async throws(SigningFailure) {
        var seed = [UInt8](repeating: 0, count: Int(CTPM2_SEED))
        guard copenssl_random(&seed, seed.count) else {
            throw SigningFailure(.badKey, "OpenSSL has no random numbers; look into openssl.cnf")
        }
        try await self.init(tpm, seed: Secret(seed))
    }

    /// The key that belongs to a seed that was kept; another one where the TPM is another, or was cleared.
    init(_ tpm: TPM, seed: Secret) async throws(SigningFailure) {
        guard seed.bytes.count == Int(CTPM2_SEED) else {
            throw SigningFailure(.badKey, "the attestation key is unusable; run `cutied ctl attest renew`")
        }
        self.tpm = tpm
        self.seed = seed
        publicKey = try await tpm.publicKey(seed.bytes)
    }

    func signature(of message: [UInt8]) async throws(SigningFailure) -> [UInt8] {
        try await tpm.signature(of: message, seed.bytes)
    }

    func quote(over hash: [UInt8]) async throws(SigningFailure) -> AttestationObject.Quote? {
        let quote = try await tpm.quote(over: hash, seed.bytes)
        return AttestationObject.Quote(attested: quote.attested, signature: quote.signature)
    }
}

extension DER {
    static func point(_ x: [UInt8], _ y: [UInt8]) throws(SigningFailure) -> [UInt8] {
        try checked(bytes { copenssl_p256_point(x, y, $0) })
    }

    static func signature(_ signature: ctpm2_signature) throws(SigningFailure) -> [UInt8] {
        let r = withUnsafeBytes(of: signature.r) { Array($0) }
        let s = withUnsafeBytes(of: signature.s) { Array($0) }
        return try checked(bytes { copenssl_p256_signature(r, r.count, s, s.count, $0) })
    }

    private static func checked(_ bytes: [UInt8]?) throws(SigningFailure) -> [UInt8] {
        guard let bytes else { throw SigningFailure(.refused, "the TPM gave no P-256 numbers; restart it") }
        return bytes
    }
}
