import COpenSSL
public import CutieAPI

/// Values that the API derives from a device ID: SHA-256 hashes in lowercase hexadecimal.
public enum DeviceProof {
    /// Returns the value of the header `X-Device-Secret`.
    public static func derivedSecret(for device: DeviceID) -> Token<Device> {
        Token(hash(device.rawValue + "cutie-device-salt-v1"))
    }

    /// Returns the hash that an activity ping contains instead of the device ID.
    public static func hashedID(of device: DeviceID, bundleID: String) -> String {
        hash(device.rawValue + bundleID)
    }

    private static func hash(_ text: String) -> String {
        Hexadecimal.hexText(of: Digest.sha256(Array(text.utf8)))
    }
}

/// The cryptographic functions that sign-in needs.
public enum SignInCryptography {
    /// Returns cryptographically secure random bytes.
    public static func randomBytes(count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard copenssl_random(&bytes, count) else {
            fatalError("OpenSSL cannot create random numbers; check openssl.cnf")
        }
        return bytes
    }

    public static func sha256(_ bytes: [UInt8]) -> [UInt8] { Digest.sha256(bytes) }

    /// Returns whether `signature` (RFC 7518, 3.3) is a valid RS256 signature of `message`.
    ///
    /// - Parameter key: the SubjectPublicKeyInfo of an RSA key.
    public static func isValidRS256Signature(
        _ signature: [UInt8], for message: [UInt8], publicKey key: [UInt8]
    ) -> Bool {
        copenssl_rsa_verify(key, key.count, message, message.count, signature, signature.count)
    }

    /// Returns whether `signature` (RFC 7518, 3.4) is a valid ES256 signature of `message`.
    ///
    /// - Parameter key: the SubjectPublicKeyInfo of a P-256 key.
    public static func isValidES256Signature(
        _ signature: [UInt8], for message: [UInt8], publicKey key: [UInt8]
    ) -> Bool {
        guard signature.count == 64 else { return false }
        let (r, s) = (Array(signature.prefix(32)), Array(signature.suffix(32)))
        let encoded = [UInt8](unsafeUninitializedCapacity: Int(COPENSSL_DER_ROOM)) { room, count in
            count = room.baseAddress.map { copenssl_p256_write_signature(r, 32, s, 32, $0) } ?? 0
        }
        return !encoded.isEmpty && Digest.isValidSignature(encoded, for: message, publicKey: key)
    }
}

/// SHA-256 hashes, and signatures of SHA-256 hashes.
enum Digest {
    static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { room, count in
            // OpenSSL fails only if memory is exhausted or its configuration disables SHA-256.
            guard let start = room.baseAddress, copenssl_sha256(bytes, bytes.count, start) else {
                fatalError("OpenSSL cannot compute SHA-256; check openssl.cnf")
            }
            count = 32
        }
    }

    /// Returns whether `signature` is a valid ECDSA signature of the SHA-256 of `message`.
    ///
    /// - Parameter key: the SubjectPublicKeyInfo of a P-256 key.
    static func isValidSignature(_ signature: [UInt8], for message: [UInt8], publicKey key: [UInt8]) -> Bool {
        copenssl_p256_verify(key, key.count, message, message.count, signature, signature.count)
    }
}
