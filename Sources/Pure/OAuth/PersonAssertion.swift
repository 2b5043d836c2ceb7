public import CutieAPI

/// What an issuer states about the person to a service: the answer to a token exchange, RFC 8693 §2.2.1.
public struct PersonAssertion: Hashable, Sendable {
    /// A JWT (RFC 7519), which only the service reads.
    public let text: Token<PersonAssertion>
    /// Seconds, at least one; nil: it does not say.
    public let expiresIn: Int?

    /// Of RFC 8693 §3.
    static let tokenType = "urn:ietf:params:oauth:token-type:jwt"

    /// Throws where it is a page, or where the issuer gives another kind of token. Never repeats what it says.
    public init(json: [UInt8]) throws(UnreadableJSON) {
        guard json.count <= TokenAnswer.sizeLimit else { throw UnreadableJSON(path: "", problem: .badValue) }
        let answer = try JSON.decode(Answer.self, from: json)
        (text, expiresIn) = (Token(answer.text), answer.expiresIn)
    }

    private struct Answer: Decodable {
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
            guard try container.decode(String.self, forKey: .issuedTokenType) == PersonAssertion.tokenType
            else { throw TokenAnswer.bad(.issuedTokenType, in: container) }
            // It opens nothing by itself, which is N_A; some servers say Bearer nevertheless.
            let use = try container.decode(String.self, forKey: .tokenType).lowercased()
            guard ["n_a", "bearer"].contains(use) else { throw TokenAnswer.bad(.tokenType, in: container) }
            text = try TokenAnswer.token(.text, in: container)
            expiresIn = TokenAnswer.lifetime(.expiresIn, in: container)
        }
    }
}
