public import AttestationFormat
import COpenSSL
import CTPM2
public import Reasons

/// A P-256 key that signs without exposing its private key.
public protocol Signer: Sendable {
    var environment: AttestationEnvironment { get }
    /// The public key as a SubjectPublicKeyInfo in DER.
    var publicKey: [UInt8] { get }
    /// Returns an ECDSA signature of the SHA-256 of `message`, in DER.
    func sign(_ message: [UInt8]) async throws(SigningFailure) -> [UInt8]
    /// Returns a TPM quote with `hash` (a SHA-256) as extra data; `nil` if the key is not in a TPM.
    func createQuote(over hash: [UInt8]) async throws(SigningFailure) -> AttestationObject.Quote?
}

/// The reason why signing or creating a key failed.
public struct SigningFailure: ReasonedError, Hashable, Sendable {
    public enum Code: Hashable, Sendable {
        /// There is no TPM that this user may access, or tpm2-tss is not installed.
        case noTPM
        /// The TPM returned an error.
        case refused
        /// The stored bytes are not a key, or the key belongs to another TPM.
        case badKey
    }

    public let code: Code
    public let reason: Reason

    init(_ code: Code, _ reason: Reason) { (self.code, self.reason) = (code, reason) }
}

/// A signer whose private key is in the memory of the process.
struct SoftwareSigner: Signer {
    let environment = AttestationEnvironment.software
    let publicKey: [UInt8]
    /// The private key of the signer in PKCS#8 format.
    let privateKey: Secret

    /// Creates a new key.
    init() throws(SigningFailure) {
        try self.init(Secret(DER.makeBytes { copenssl_p256_create_key($0) } ?? []))
    }

    /// Loads a private key in PKCS#8 format.
    init(_ privateKey: Secret) throws(SigningFailure) {
        let bytes = privateKey.bytes
        guard let publicKey = DER.makeBytes({ copenssl_p256_write_public_key(bytes, bytes.count, $0) }) else {
            throw SigningFailure(.badKey, Reason(.attestationKeyUnusable))
        }
        self.privateKey = privateKey
        self.publicKey = publicKey
    }

    func sign(_ message: [UInt8]) async throws(SigningFailure) -> [UInt8] {
        let key = privateKey.bytes
        let signature = DER.makeBytes { copenssl_p256_sign(key, key.count, message, message.count, $0) }
        guard let signature else {
            throw SigningFailure(.badKey, Reason(.signingFailed))
        }
        return signature
    }

    func createQuote(over hash: [UInt8]) async throws(SigningFailure) -> AttestationObject.Quote? { nil }
}

/// Functions that call OpenSSL and return its DER output.
enum DER {
    /// Returns the bytes that `write` stores in a buffer. `write` returns the number of bytes, or 0 on
    /// failure. If `write` returns 0, the result is `nil`.
    static func makeBytes(_ write: (UnsafeMutablePointer<UInt8>) -> Int) -> [UInt8]? {
        let room = Int(COPENSSL_DER_ROOM)
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            count = buffer.baseAddress.map(write) ?? 0
        }
        return bytes.isEmpty ? nil : bytes
    }

    static func encodePoint(x: [UInt8], y: [UInt8]) throws(SigningFailure) -> [UInt8] {
        try validated(makeBytes { copenssl_p256_write_point(x, y, $0) })
    }

    static func encodeSignature(_ signature: ctpm2_signature) throws(SigningFailure) -> [UInt8] {
        let r = withUnsafeBytes(of: signature.r) { Array($0) }
        let s = withUnsafeBytes(of: signature.s) { Array($0) }
        return try validated(makeBytes { copenssl_p256_write_signature(r, r.count, s, s.count, $0) })
    }

    private static func validated(_ bytes: [UInt8]?) throws(SigningFailure) -> [UInt8] {
        guard let bytes else {
            throw SigningFailure(.refused, Reason(.tpmSignatureInvalid))
        }
        return bytes
    }
}

/// A signer whose private key never leaves the TPM.
struct TPMSigner: Signer {
    let environment = AttestationEnvironment.tpm2
    let publicKey: [UInt8]
    /// The seed of the key. The TPM derives the key from the seed and a secret of the TPM, so the seed is
    /// useless on another computer.
    let seed: Secret
    private let tpm: TPM

    /// Creates a new key.
    init(_ tpm: TPM) async throws(SigningFailure) {
        var seed = [UInt8](repeating: 0, count: Int(CTPM2_SEED))
        guard copenssl_random(&seed, seed.count) else {
            throw SigningFailure(.badKey, Reason(.randomFailed))
        }
        try await self.init(tpm, seed: Secret(seed))
    }

    /// Derives the key from a stored seed. Another TPM, or a TPM that was cleared, derives a different key.
    init(_ tpm: TPM, seed: Secret) async throws(SigningFailure) {
        guard seed.bytes.count == Int(CTPM2_SEED) else {
            throw SigningFailure(.badKey, Reason(.attestationKeyUnusable))
        }
        self.tpm = tpm
        self.seed = seed
        publicKey = try await tpm.derivePublicKey(fromSeed: seed.bytes)
    }

    func sign(_ message: [UInt8]) async throws(SigningFailure) -> [UInt8] {
        try await tpm.sign(message, keySeed: seed.bytes)
    }

    func createQuote(over hash: [UInt8]) async throws(SigningFailure) -> AttestationObject.Quote? {
        let quote = try await tpm.createQuote(over: hash, keySeed: seed.bytes)
        return AttestationObject.Quote(attested: quote.attested, signature: quote.signature)
    }
}
