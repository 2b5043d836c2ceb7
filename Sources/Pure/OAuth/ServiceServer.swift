public import CutieAPI

/// What a public client asks of the authorization server of a service, as values.
public struct ServiceServer: Hashable, Sendable {
    public let token: EndpointURL
    /// nil: it is not offered.
    public let revocation: EndpointURL?
    public let clientID: String

    public init(token: EndpointURL, revocation: EndpointURL?, clientID: String) {
        (self.token, self.revocation, self.clientID) = (token, revocation, clientID)
    }

    /// A token for the person that the issuer speaks of: RFC 7523 §2.1. `proof`: the whole JWT of a `KeyProof`.
    public func serviceToken(_ assertion: Token<PersonAssertion>, proof: String) -> FormRequest {
        request(
            IssuerMetadata.Grant.jwtBearer,
            [
                .init("assertion", assertion.rawValue),
                .init("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
                .init("client_assertion", proof),
            ])
    }

    /// A token for one app. `assertion`: the whole JWT of an `AppAssertion`.
    public func appToken(
        assertion: String, scope: Scope, under serviceToken: Token<AccessToken>
    ) -> FormRequest {
        let scope: [Form.Parameter] = scope.isEmpty ? [] : [.init("scope", scope.description)]
        return request(
            IssuerMetadata.Grant.jwtBearer, [.init("assertion", assertion)] + scope, under: serviceToken)
    }

    /// RFC 6749 §6. What is refreshed may come with another refresh token, and then this one is over.
    public func refreshing(_ refreshToken: Token<RefreshToken>) -> FormRequest {
        request(IssuerMetadata.Grant.refreshToken, [.init("refresh_token", refreshToken.rawValue)])
    }

    /// RFC 7009. nil: it is not offered.
    public func revoking(_ token: String, kind: AuthorizationServer.TokenKind) -> FormRequest? {
        revocation.map {
            FormRequest(
                $0, [.init("token", token), .init("token_type_hint", kind.rawValue)], by: clientID, under: nil
            )
        }
    }

    private func request(
        _ grant: String, _ parameters: [Form.Parameter], under bearer: Token<AccessToken>? = nil
    ) -> FormRequest {
        FormRequest(token, [.init("grant_type", grant)] + parameters, by: clientID, under: bearer)
    }
}
