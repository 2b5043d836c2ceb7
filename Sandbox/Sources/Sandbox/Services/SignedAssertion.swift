import Crypto
import CutieAPI
import Foundation

/// A JSON Web Token (RFC 7519) that was signed with ES256. The claims must not be used before the signature
/// is verified.
struct SignedAssertion: Sendable {
    /// The maximum size of a token, in bytes.
    private static let sizeLimit = 16 << 10
    /// The maximum lifetime of an assertion, in seconds.
    private static let maxLifetime = 300.0
    /// The tolerated clock skew, in seconds.
    private static let skew = 60.0

    let keyID: String?
    let claims: Claims
    private let signed: Data
    private let signature: P256.Signing.ECDSASignature

    /// Parses a token without checking its signature.
    ///
    /// - Throws: `Refusal` (`invalid_grant`) if the text is not a token signed with ES256.
    init(_ text: String) throws(Refusal) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.sizeLimit, parts.count == 3, let head = Data(base64URL: parts[0]),
            let body = Data(base64URL: parts[1]), let raw = Data(base64URL: parts[2])
        else { throw Self.makeRefusal(reason: "is not a JSON Web Token") }
        guard let header = try? JSON.decode(Header.self, from: head), header.algorithm == "ES256",
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: raw)
        else { throw Self.makeRefusal(reason: "is not signed with ES256") }
        do throws(UnreadableJSON) { claims = try JSON.decode(Claims.self, from: body) } catch {
            throw Self.makeRefusal(reason: "has missing or invalid claims: \(error)")
        }
        keyID = header.keyID
        signed = Data("\(parts[0]).\(parts[1])".utf8)
        self.signature = signature
    }

    private struct Header: Decodable {
        let algorithm: String
        let keyID: String?

        enum CodingKeys: String, CodingKey {
            case algorithm = "alg"
            case keyID = "kid"
        }
    }

    /// Verifies the signature.
    ///
    /// - Throws: `Refusal` (`invalid_grant`) if the token was signed with another key.
    func requireSignature(with key: P256.Signing.PublicKey) throws(Refusal) {
        guard key.isValidSignature(signature, for: signed) else {
            throw Self.makeRefusal(reason: "is not signed with the required key")
        }
    }

    /// Validates the claims: the audience, the times and the ID of the token.
    ///
    /// - Throws: `Refusal` (`invalid_grant`).
    func requireValidity(forAudience audience: String, at moment: Timestamp) throws(Refusal) {
        let now = Double(moment.milliseconds) / 1000
        guard claims.audience.names.contains(audience) else {
            throw Self.makeRefusal(reason: "is not for the audience \(audience)")
        }
        guard claims.expiry > now else { throw Self.makeRefusal(reason: "has expired") }
        guard claims.issuedAt <= now + Self.skew else {
            throw Self.makeRefusal(reason: "was issued in the future")
        }
        guard claims.expiry - claims.issuedAt <= Self.maxLifetime else {
            throw Self.makeRefusal(reason: "is valid for more than five minutes")
        }
        guard (1...256).contains(claims.id.utf8.count) else {
            throw Self.makeRefusal(reason: "has no usable jti")
        }
    }

    /// Returns an `invalid_grant` error. `reason` completes the sentence "the assertion …".
    static func makeRefusal(reason: String) -> Refusal {
        .oauthError("invalid_grant", "the assertion \(reason)")
    }

    struct Claims: Decodable, Sendable {
        let issuer: String
        let subject: String
        let audience: Audience
        let authorizedParty: String?
        let clientID: String?
        let resource: String?
        let scope: String?
        /// The time at which the assertion was issued, in Unix seconds.
        let issuedAt: Double
        let expiry: Double
        let id: String
        let confirmation: Confirmation?

        enum CodingKeys: String, CodingKey {
            case resource, scope
            case issuer = "iss"
            case subject = "sub"
            case audience = "aud"
            case authorizedParty = "azp"
            case clientID = "client_id"
            case issuedAt = "iat"
            case expiry = "exp"
            case id = "jti"
            case confirmation = "cnf"
        }
    }

    /// The `aud` claim, which is a string or an array of strings.
    struct Audience: Decodable, Sendable {
        let names: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let name = try? container.decode(String.self) {
                names = [name]
            } else {
                names = try container.decode([String].self)
            }
        }
    }

    /// The `cnf` claim, which contains the public key of the sender (RFC 7800, 3.2).
    struct Confirmation: Decodable, Sendable {
        let key: WebKey

        enum CodingKeys: String, CodingKey {
            case key = "jwk"
        }
    }
}

/// A P-256 public key as a JSON Web Key (RFC 7517).
struct WebKey: Codable, Hashable, Sendable {
    let id: String?
    let type: String
    let curve: String
    let x: String
    let y: String

    enum CodingKeys: String, CodingKey {
        case x, y
        case id = "kid"
        case type = "kty"
        case curve = "crv"
    }

    /// The key for signature verification; `nil` if the key type is not P-256 or the point is not on the
    /// curve.
    var verifying: P256.Signing.PublicKey? {
        guard type == "EC", curve == "P-256", let x = Data(base64URL: x), let y = Data(base64URL: y),
            x.count == 32, y.count == 32
        else { return nil }
        return try? P256.Signing.PublicKey(rawRepresentation: x + y)
    }

    /// Returns whether both keys have the same curve point. Ignores the key IDs.
    func hasSamePoint(as other: WebKey) -> Bool { (x, y) == (other.x, other.y) }
}

extension Data {
    /// Decodes base64url; `nil` if the text has padding or invalid characters.
    init?(base64URL text: some StringProtocol) {
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") }) else { return nil }
        let plain = String(text).replacing("-", with: "+").replacing("_", with: "/")
        guard !plain.contains("=") else { return nil }
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
    }
}
