import COpenSSL

/// SHA-256.
enum Digest {
    static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { room, count in
            // Fails where memory has run out, or OpenSSL was set up without SHA-256.
            guard let start = room.baseAddress, copenssl_sha256(bytes, bytes.count, start) else {
                fatalError("OpenSSL computes no SHA-256; look into openssl.cnf")
            }
            count = 32
        }
    }

    /// Whether `signature` is ECDSA over SHA-256 of `message` by the P-256 key of that SubjectPublicKeyInfo.
    static func isSignature(_ signature: [UInt8], of message: [UInt8], by key: [UInt8]) -> Bool {
        copenssl_p256_verify(key, key.count, message, message.count, signature, signature.count)
    }
}
