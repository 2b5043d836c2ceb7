public import AttestationFormat
import COpenSSL
import CTPM2

/// A P-256 key that signs bytes and never shows itself.
public protocol Signer: Sendable {
    var environment: AttestationEnvironment { get }
    /// SubjectPublicKeyInfo, DER.
    var publicKey: [UInt8] { get }
    /// ECDSA over SHA-256 of `message`, DER.
    func signature(of message: [UInt8]) async throws(SigningFailure) -> [UInt8]
    /// A TPM's quote over the SHA-256 `hash`; nil where the key is in no TPM.
    func quote(over hash: [UInt8]) async throws(SigningFailure) -> AttestationObject.Quote?
}

/// Why a key did not sign, or could not be made.
public struct SigningFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// There is no TPM here that this user may use, or what it needs is not installed.
        case noTPM
        /// The TPM answered with an error.
        case refused
        /// What was kept is no key, or the TPM is another one.
        case badKey
    }

    public let code: Code
    /// What is wrong and what to do.
    public let description: String

    init(_ code: Code, _ sentence: String) {
        self.code = code
        description = sentence
    }
}

/// A key in this process's memory.
struct SoftwareSigner: Signer {
    let environment = AttestationEnvironment.software
    let publicKey: [UInt8]
    /// PKCS#8.
    let privateKey: Secret

    /// Makes a key.
    init() throws(SigningFailure) {
        try self.init(Secret(DER.bytes { copenssl_p256_new($0) } ?? []))
    }

    /// A key that was kept.
    init(_ privateKey: Secret) throws(SigningFailure) {
        let bytes = privateKey.bytes
        guard let publicKey = DER.bytes({ copenssl_p256_public(bytes, bytes.count, $0) }) else {
            throw SigningFailure(.badKey, "the attestation key is unusable; run `cutied ctl attest renew`")
        }
        self.privateKey = privateKey
        self.publicKey = publicKey
    }

    func signature(of message: [UInt8]) async throws(SigningFailure) -> [UInt8] {
        let key = privateKey.bytes
        let signature = DER.bytes { copenssl_p256_sign(key, key.count, message, message.count, $0) }
        guard let signature else {
            throw SigningFailure(.badKey, "OpenSSL does not sign; run `cutied ctl attest renew`")
        }
        return signature
    }

    func quote(over hash: [UInt8]) async throws(SigningFailure) -> AttestationObject.Quote? { nil }
}

/// What OpenSSL writes.
enum DER {
    /// Nil where `write` returns 0, its word for failure.
    static func bytes(_ write: (UnsafeMutablePointer<UInt8>) -> Int) -> [UInt8]? {
        let room = Int(COPENSSL_DER_ROOM)
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            count = buffer.baseAddress.map(write) ?? 0
        }
        return bytes.isEmpty ? nil : bytes
    }

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
