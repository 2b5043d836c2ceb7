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

    /// Lower-case hexadecimal.
    static func hex(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}
