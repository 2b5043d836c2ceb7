public import CutieAPI

/// The JWT with which an app signs its request for services (the parameter `token` of the NAIL protocol). The
/// header contains the public key, so the signature proves only that the app holds the private key; it does
/// not identify the app.
public struct RequestAssertion: Hashable, Sendable {
    /// The maximum size of a JWT in bytes.
    public static let sizeLimit = 16 << 10
    /// The required `aud` of the JWT.
    public static let audience = "urn:ietf:params:oauth:assertion"

    /// The bytes over which `signature` is computed.
    public let signedBytes: [UInt8]
    /// The signature in the format of RFC 7518 §3.4.
    public let signature: [UInt8]
    public let key: JSONWebKey
    private let claims: Claims

    /// The reason why a JWT is rejected.
    public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        case unreadable
        /// The algorithm is not ES256, or the header has no P-256 key.
        case noKey
        case invalidSignature
        /// The audience, the client or the app in the claims does not match the request.
        case otherRequest
        case expired

        public var description: String {
            switch self {
            case .unreadable: "the app's token cannot be read"
            case .noKey: "the app's token is not signed with ES256 by a key in its header"
            case .invalidSignature: "the signature of the app's token is not valid"
            case .otherRequest: "the app's token belongs to another request"
            case .expired: "the app's token has expired"
            }
        }
    }

    public init(_ text: String) throws(Problem) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.sizeLimit, parts.count == 3,
            let header: Header = Self.decodePart(parts[0]), let claims: Claims = Self.decodePart(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw .unreadable }
        guard header.alg == "ES256", let key = header.jwk else { throw .noKey }
        (self.claims, self.signature, self.key) = (claims, signature, key)
        signedBytes = Array("\(parts[0]).\(parts[1])".utf8)
    }

    /// Throws if the claims do not match the request, or if the signature is not valid.
    ///
    /// - Parameter isSigned: returns whether the signature is valid for the key, which is passed as a
    ///   SubjectPublicKeyInfo.
    public func checkClaimsAndSignature(
        clientID: String, appID: String, appName: String, now: Timestamp,
        isSigned: (_ key: [UInt8]) -> Bool
    ) throws(Problem) {
        guard isSigned(key.subjectPublicKeyInfo) else { throw .invalidSignature }
        guard claims.audience.contains(Self.audience), claims.sub == clientID, claims.iss == appID,
            claims.name == appName
        else { throw .otherRequest }
        guard claims.exp.map({ Double(now.milliseconds) / 1000 < $0 }) ?? true else { throw .expired }
    }

    private static func decodePart<Value: Decodable>(_ part: Substring) -> Value? {
        Base64URL.decode(part).flatMap { try? JSON.decode(Value.self, from: $0) }
    }

    private struct Header: Decodable {
        let alg: String
        /// The public key in the header of the JWT; `nil` if the key is missing or of an unsupported type.
        let jwk: JSONWebKey?

        private enum CodingKeys: String, CodingKey { case alg, jwk }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            alg = try container.decode(String.self, forKey: .alg)
            jwk = try? container.decode(JSONWebKey.self, forKey: .jwk)
        }
    }

    private struct Claims: Hashable, Decodable {
        let audience: [String]
        let sub: String
        let iss: String
        let name: String
        /// The expiry of the JWT in Unix seconds; `nil` if the JWT does not expire.
        let exp: Double?

        private enum CodingKeys: String, CodingKey {
            case sub, iss, name, exp
            case audience = "aud"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            audience =
                try (try? container.decode(String.self, forKey: .audience)).map { [$0] }
                ?? container.decode([String].self, forKey: .audience)
            sub = try container.decode(String.self, forKey: .sub)
            iss = try container.decode(String.self, forKey: .iss)
            name = try container.decode(String.self, forKey: .name)
            exp = try container.decodeIfPresent(Double.self, forKey: .exp)
        }
    }
}
