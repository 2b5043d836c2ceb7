public import CutieAPI

/// The issuer's assertion about the user, which is sent to a service. The issuer returns the assertion in a
/// token exchange (RFC 8693 §2.2.1).
public struct UserAssertion: Hashable, Sendable {
    /// The assertion as a JWT (RFC 7519), which only the service decodes.
    public let text: Token<UserAssertion>
    /// The lifetime of the assertion in seconds, at least 1; `nil` if the server sent no lifetime.
    public let expiresIn: Int?

    /// The token type identifier of a JWT (RFC 8693 §3).
    static let tokenType = "urn:ietf:params:oauth:token-type:jwt"

    /// Parses the response. Throws if it is not a token exchange response or contains a token of another
    /// type. The error does not contain the response.
    public init(json: [UInt8]) throws(UnreadableJSON) {
        guard json.count <= TokenResponse.sizeLimit else {
            throw UnreadableJSON(path: "", problem: .badValue)
        }
        let answer = try JSON.decode(Response.self, from: json)
        (text, expiresIn) = (Token(answer.text), answer.expiresIn)
    }

    private struct Response: Decodable {
        let text: String
        let expiresIn: Int?

        private enum CodingKeys: String, CodingKey {
            case text = "access_token"
            case issuedTokenType = "issued_token_type"
            case tokenType = "token_type"
            case expiresIn = "expires_in"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            guard try container.decode(String.self, forKey: .issuedTokenType) == UserAssertion.tokenType
            else { throw TokenResponse.decodingError(forKey: .issuedTokenType, in: container) }
            // For a token that is not an access token, RFC 8693 requires the type N_A, but some servers send
            // Bearer.
            let use = try container.decode(String.self, forKey: .tokenType).lowercased()
            guard ["n_a", "bearer"].contains(use) else {
                throw TokenResponse.decodingError(forKey: .tokenType, in: container)
            }
            text = try TokenResponse.decodeToken(forKey: .text, from: container)
            expiresIn = TokenResponse.decodeLifetime(forKey: .expiresIn, from: container)
        }
    }
}
