import AttestationFormat
import COpenSSL

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
}
