import COpenSSL
public import CutieAPI

/// Values that the API contract derives from a device ID, each a SHA-256 in lowercase hexadecimal.
public enum DeviceProof {
    /// Returns the value of `X-Device-Secret`.
    public static func derivedSecret(for device: DeviceID) -> Token<Device> {
        Token(hash(device.rawValue + "cutie-device-salt-v1"))
    }

    /// Returns the value that replaces the device ID in an activity ping.
    public static func hashedID(of device: DeviceID, bundleID: String) -> String {
        hash(device.rawValue + bundleID)
    }

    private static func hash(_ text: String) -> String {
        Hexadecimal.hexText(of: Digest.sha256(Array(text.utf8)))
    }
}

/// The cryptographic functions for sign-in.
public enum SignInProof {
    /// Returns cryptographically secure random bytes.
    public static func randomBytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard copenssl_random(&bytes, count) else {
            fatalError("OpenSSL cannot create random numbers; check openssl.cnf")
        }
        return bytes
    }

    public static func sha256(_ bytes: [UInt8]) -> [UInt8] { Digest.sha256(bytes) }

    /// Returns whether `signature`, in the format of RFC 7518 §3.3, is a valid RS256 signature of `message`.
    /// `key`: the SubjectPublicKeyInfo of an RSA key.
    public static func isRS256(_ signature: [UInt8], of message: [UInt8], by key: [UInt8]) -> Bool {
        copenssl_rsa_verify(key, key.count, message, message.count, signature, signature.count)
    }

    /// Returns whether `signature`, in the format of RFC 7518 §3.4, is a valid ES256 signature of `message`.
    /// `key`: the SubjectPublicKeyInfo of a P-256 key.
    public static func isES256(_ signature: [UInt8], of message: [UInt8], by key: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        let (r, s) = (Array(signature.prefix(32)), Array(signature.suffix(32)))
        let encoded = [UInt8](unsafeUninitializedCapacity: Int(COPENSSL_DER_ROOM)) { room, count in
            count = room.baseAddress.map { copenssl_p256_signature(r, 32, s, 32, $0) } ?? 0
        }
        return !encoded.isEmpty && Digest.isValidSignature(encoded, of: message, by: key)
    }
}

/// SHA-256, and verification of signatures over it.
enum Digest {
    static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { room, count in
            // Fails if memory is exhausted, or if the configuration of OpenSSL disables SHA-256.
            guard let start = room.baseAddress, copenssl_sha256(bytes, bytes.count, start) else {
                fatalError("OpenSSL cannot compute SHA-256; check openssl.cnf")
            }
            count = 32
        }
    }

    /// Returns whether `signature` is a valid ECDSA signature over the SHA-256 of `message`. `key`: the
    /// SubjectPublicKeyInfo of a P-256 key.
    static func isValidSignature(_ signature: [UInt8], of message: [UInt8], by key: [UInt8]) -> Bool {
        copenssl_p256_verify(key, key.count, message, message.count, signature, signature.count)
    }
}
