public import CutieAPI

/// The public keys of an issuer (RFC 7517) that can verify ID tokens. Other keys in the set are skipped.
public struct KeySet: Hashable, Sendable {
    /// The maximum size of a key set in bytes.
    public static let sizeLimit = 256 << 10
    private static let maxKeys = 64

    /// A public key that can verify ID tokens.
    public struct Key: Hashable, Sendable {
        /// The key ID; `nil` if the issuer assigned no ID, for example because the issuer has only one key.
        public let id: String?
        public let algorithm: IDToken.Algorithm
        /// The public key in DER (RFC 5280).
        public let subjectPublicKeyInfo: [UInt8]
    }

    public let keys: [Key]

    public init(json: [UInt8]) throws(UnreadableJSON) {
        guard json.count <= Self.sizeLimit else { throw UnreadableJSON(path: "", problem: .badValue) }
        let list: List = try JSON.decode(from: json)
        keys = list.keys.prefix(Self.maxKeys).compactMap(\.key)
    }

    /// Returns the keys that may have signed `token`.
    public func candidateKeys(for token: IDToken) -> [Key] {
        keys.filter { key in
            guard key.algorithm == token.algorithm else { return false }
            guard let wanted = token.keyID, let id = key.id else { return true }
            return id == wanted
        }
    }

    private struct List: Decodable {
        let keys: [Entry]

        private enum CodingKeys: String, CodingKey {
            case keys
        }

        init(from decoder: any Decoder) throws {
            keys = try decoder.container(keyedBy: CodingKeys.self).decodeRequiredList(.keys)
        }
    }

    /// An element of the key set. `key` is `nil` if the key is invalid, is not for signatures, or has an
    /// unsupported type or algorithm.
    private struct Entry: Decodable {
        let key: Key?

        private enum CodingKeys: String, CodingKey {
            case kty, kid, use, alg, n, e
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let isForSignatures =
                container.decodeIfReadable(.use, as: String.self).map { $0 == "sig" } ?? true
            let algorithm = container.decodeIfReadable(.alg, as: String.self)
            let type = container.decodeIfReadable(.kty, as: String.self)
            switch (isForSignatures, type, algorithm ?? "") {
            case (true, "RSA", "RS256"), (true, "RSA", ""):
                key = Self.decodeRSAKey(from: container).map {
                    Key(
                        id: container.decodeIfReadable(.kid, as: String.self), algorithm: .rs256,
                        subjectPublicKeyInfo: $0)
                }
            case (true, "EC", "ES256"), (true, "EC", ""):
                key = (try? JSONWebKey(from: decoder)).map {
                    Key(
                        id: container.decodeIfReadable(.kid, as: String.self), algorithm: .es256,
                        subjectPublicKeyInfo: $0.subjectPublicKeyInfo)
                }
            default: key = nil
            }
        }

        /// Decodes an RSA key (RFC 7518 §6.3.1); `nil` if its modulus has fewer than 2048 bits (§3.3) or more
        /// than 8192 bits.
        private static func decodeRSAKey(from container: KeyedDecodingContainer<CodingKeys>) -> [UInt8]? {
            guard
                let n = container.decodeIfReadable(.n, as: String.self).flatMap({ Base64URL.decode($0[...]) }
                ),
                let e = container.decodeIfReadable(.e, as: String.self).flatMap({ Base64URL.decode($0[...]) }
                ),
                (256...1024).contains(n.count), (1...8).contains(e.count)
            else { return nil }
            return DER.rsaPublicKey(modulus: n, exponent: e)
        }
    }
}

/// The DER encoding of a public key.
enum DER {
    /// `rsaEncryption` with its NULL parameter (RFC 8017 appendix A.1).
    private static let rsaEncryption: [UInt8] = [
        0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]

    /// Returns a SubjectPublicKeyInfo with an RSA key.
    static func rsaPublicKey(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
        let key = encodeDERValue(tag: 0x30, content: encodeDERInteger(modulus) + encodeDERInteger(exponent))
        return encodeDERValue(
            tag: 0x30, content: rsaEncryption + encodeDERValue(tag: 0x03, content: [0] + key))
    }

    private static func encodeDERInteger(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        let isNegative = digits.first.map { $0 >= 0x80 } ?? true
        return encodeDERValue(tag: 0x02, content: isNegative ? [0] + digits : digits)
    }

    private static func encodeDERValue(tag: UInt8, content: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        let isShort = content.count < 0x80
        return [tag] + (isShort ? [UInt8(content.count)] : [0x80 | UInt8(length.count)] + length) + content
    }
}
