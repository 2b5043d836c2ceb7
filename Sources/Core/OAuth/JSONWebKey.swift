import CutieAPI

/// A public P-256 key in the format of RFC 7517; RFC 7518 §6.2.1 defines its coordinates.
public struct JSONWebKey: Hashable, Sendable, Codable {
    /// The coordinates of the point, 32 bytes each.
    private let x: [UInt8]
    private let y: [UInt8]

    private static let type = "EC"
    private static let curve = "P-256"
    /// The DER prefix of a SubjectPublicKeyInfo with an uncompressed point (RFC 5480).
    private static let prefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86,
        0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
    ]

    private enum CodingKeys: String, CodingKey {
        case kty, crv, x, y
    }

    /// Parses a key in DER as written by OpenSSL; `nil` if the key has another type or a compressed point.
    public init?(subjectPublicKeyInfo bytes: [UInt8]) {
        guard bytes.count == Self.prefix.count + 64, bytes.starts(with: Self.prefix) else { return nil }
        (x, y) = (Array(bytes.suffix(64).prefix(32)), Array(bytes.suffix(32)))
    }

    /// The key in DER, as accepted by `init(subjectPublicKeyInfo:)`.
    var subjectPublicKeyInfo: [UInt8] { Self.prefix + x + y }

    /// Decodes a key without checking that its point is on the curve. The code that verifies a signature must
    /// check the point.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard try container.decode(String.self, forKey: .kty) == Self.type else {
            throw TokenResponse.decodingError(forKey: .kty, in: container)
        }
        guard try container.decode(String.self, forKey: .crv) == Self.curve else {
            throw TokenResponse.decodingError(forKey: .crv, in: container)
        }
        x = try Self.decodeNumber(forKey: .x, from: container)
        y = try Self.decodeNumber(forKey: .y, from: container)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.type, forKey: .kty)
        try container.encode(Self.curve, forKey: .crv)
        try container.encode(Base64URL.encode(x), forKey: .x)
        try container.encode(Base64URL.encode(y), forKey: .y)
    }

    private static func decodeNumber(
        forKey key: CodingKeys, from container: KeyedDecodingContainer<CodingKeys>
    ) throws -> [UInt8] {
        let text = try container.decode(String.self, forKey: key)
        guard text.utf8.count == 43, let bytes = Base64URL.decode(text[...]), bytes.count == 32 else {
            throw TokenResponse.decodingError(forKey: key, in: container)
        }
        return bytes
    }
}
