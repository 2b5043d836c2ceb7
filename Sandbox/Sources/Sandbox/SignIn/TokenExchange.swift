import CutieAPI
import Foundation

/// The claims of an assertion in which the issuer identifies a user to another service. A token exchange
/// returns the assertion (RFC 8693).
struct UserAssertion: Encodable {
    /// The lifetime of an assertion, in seconds.
    static let lifetime = 300

    let issuer: String
    let subject: String
    let audience: String
    let clientID: String
    let authorizedParty: String
    /// The time at which the assertion was issued, in Unix seconds.
    let issuedAt: Int64
    let expiry: Int64
    let id: String
    /// The maximum scopes for apps: the scopes of the client that requested the assertion (RFC 8693, 4.2).
    /// `nil` if the audience is another service.
    let scope: String?

    enum CodingKeys: String, CodingKey {
        case scope
        case issuer = "iss"
        case subject = "sub"
        case audience = "aud"
        case clientID = "client_id"
        case authorizedParty = "azp"
        case issuedAt = "iat"
        case expiry = "exp"
        case id = "jti"
    }

    init(about admin: Admin, to audience: String, by issuer: Issuer, client: String, scopes: Set<Scope>) {
        let now = Timestamp.now.milliseconds / 1000
        self.issuer = issuer.url
        subject = admin.subject
        self.audience = audience
        (clientID, authorizedParty) = (client, client)
        issuedAt = now
        expiry = now + Int64(Self.lifetime)
        id = RandomText.makeID(prefix: "assertion_")
        scope = audience == issuer.endpoint(.token) ? scopes.scopeList : nil
    }
}

/// A token exchange (RFC 8693): exchanges a user's access token for an assertion about the user.
struct TokenExchange {
    let archive: Archive
    let signer: IdentitySigner
    let issuer: Issuer

    private static let accessToken = "urn:ietf:params:oauth:token-type:access_token"
    private static let jwtType = "urn:ietf:params:oauth:token-type:jwt"

    /// Exchanges a user's access token for an assertion about the user.
    ///
    /// - Throws: `Refusal` (`invalid_request`, `invalid_client`, `invalid_grant` or `invalid_target`).
    func exchangeToken(in form: FormParameters, by credentials: ClientCredentials) async throws
        -> TokenExchangeResponse
    {
        guard form["requested_token_type"] ?? Self.jwtType == Self.jwtType else {
            throw Refusal.oauthError("invalid_request", "requested_token_type must be \(Self.jwtType)")
        }
        guard try form.requireParameter("subject_token_type") == Self.accessToken else {
            throw Refusal.oauthError("invalid_request", "subject_token_type must be \(Self.accessToken)")
        }
        let token = try form.requireParameter("subject_token")
        let audience = try form.requireParameter("audience")
        guard Self.isTokenEndpointURL(audience) else {
            throw Refusal.oauthError(
                "invalid_target", "audience must be an https URL, or an http URL of this computer")
        }
        let (admin, client, scopes) = try await archive.read { database in
            let client = try credentials.authenticateClient(in: database)
            guard let staff = try database.findSignedInStaff(ofAccessToken: token), let admin = staff.admin,
                staff.clientID == client.id
            else {
                throw Refusal.oauthError(
                    "invalid_grant",
                    "the subject_token is unknown or expired, or belongs to another client or to no signed-in user"
                )
            }
            return (admin, client.id, staff.scopes)
        }
        let assertion = UserAssertion(
            about: admin, to: audience, by: issuer, client: client, scopes: scopes)
        return TokenExchangeResponse(
            assertion: try await signer.sign(assertion), type: Self.jwtType,
            expiresIn: UserAssertion.lifetime)
    }

    /// Returns whether the text is a valid URL of a token endpoint. The URL can have a query but no fragment
    /// (RFC 6749, 3.2).
    private static func isTokenEndpointURL(_ text: String) -> Bool {
        let isAddress = (try? APIAddress(String(text.prefix { $0 != "?" }))) != nil
        return isAddress && text.utf8.count <= 2048 && !text.contains("#")
    }
}

/// The response of a token exchange (RFC 8693, 2.2.1).
struct TokenExchangeResponse: Encodable {
    let assertion: String
    let type: String
    /// The `token_type` for a token that is not an access token.
    let use = "N_A"
    let expiresIn: Int

    enum CodingKeys: String, CodingKey {
        case assertion = "access_token"
        case type = "issued_token_type"
        case use = "token_type"
        case expiresIn = "expires_in"
    }
}
