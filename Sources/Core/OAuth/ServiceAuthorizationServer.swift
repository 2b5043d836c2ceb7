public import CutieAPI

/// The authorization server of a service, as seen by a public client. The functions create requests as values
/// and do not send them.
public struct ServiceAuthorizationServer: Hashable, Sendable {
    public let token: EndpointURL
    /// The revocation endpoint; `nil` if the server has none.
    public let revocation: EndpointURL?
    public let clientID: String

    public init(token: EndpointURL, revocation: EndpointURL?, clientID: String) {
        (self.token, self.revocation, self.clientID) = (token, revocation, clientID)
    }

    /// Returns a request for a token on behalf of the user that the issuer's assertion names (RFC 7523 §2.1).
    /// `keyProof`: the complete JWT of a `KeyProof`.
    public func serviceTokenRequest(assertion: Token<UserAssertion>, keyProof: String) -> FormRequest {
        makeRequest(
            grantType: IssuerMetadata.Grant.jwtBearer,
            parameters: [
                .init("assertion", assertion.rawValue),
                .init("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
                .init("client_assertion", keyProof),
            ])
    }

    /// Returns a request for the token of an app. `assertion`: the complete JWT of an `AppAssertion`.
    public func appTokenRequest(
        assertion: String, scope: Scope, serviceToken: Token<AccessToken>
    ) -> FormRequest {
        let scope: [Form.Parameter] = scope.isEmpty ? [] : [.init("scope", scope.description)]
        return makeRequest(
            grantType: IssuerMetadata.Grant.jwtBearer, parameters: [.init("assertion", assertion)] + scope,
            accessToken: serviceToken)
    }

    /// Returns a refresh request (RFC 6749 §6). If the response contains a new refresh token, the new token
    /// replaces `refreshToken`.
    public func refreshRequest(refreshToken: Token<RefreshToken>) -> FormRequest {
        makeRequest(
            grantType: IssuerMetadata.Grant.refreshToken,
            parameters: [.init("refresh_token", refreshToken.rawValue)])
    }

    /// Returns a token revocation request (RFC 7009); `nil` if the server does not support it.
    public func revocationRequest(token: String, kind: AuthorizationServer.TokenKind) -> FormRequest? {
        revocation.map {
            FormRequest(
                to: $0, parameters: [.init("token", token), .init("token_type_hint", kind.rawValue)],
                clientID: clientID, accessToken: nil
            )
        }
    }

    private func makeRequest(
        grantType grant: String, parameters: [Form.Parameter], accessToken bearer: Token<AccessToken>? = nil
    ) -> FormRequest {
        FormRequest(
            to: token, parameters: [.init("grant_type", grant)] + parameters, clientID: clientID,
            accessToken: bearer)
    }
}
