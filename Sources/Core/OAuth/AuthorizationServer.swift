public import CutieAPI

/// An authorization server, as seen by one of its clients. The functions create requests as values and do not
/// send them.
public struct AuthorizationServer: Hashable, Sendable {
    public let metadata: IssuerMetadata
    public let clientID: String
    /// The client secret; `nil` for a public client.
    let secret: Token<ClientSecret>?

    public init(_ metadata: IssuerMetadata, clientID: String, secret: Token<ClientSecret>?) {
        (self.metadata, self.clientID, self.secret) = (metadata, clientID, secret)
    }

    public var signInMethods: [SignInMethod] { metadata.signInMethods(hasClientSecret: secret != nil) }

    /// Returns a token request with an authorization code. `redirectURI` must equal the redirect URI in the
    /// authorization request.
    public func tokenRequest(code: Token<AuthorizationCode>, redirectURI: String, proofKey: ProofKey)
        -> FormRequest
    {
        makeTokenRequest(
            grantType: IssuerMetadata.Grant.authorizationCode,
            parameters: [
                .init("code", code.rawValue), .init("redirect_uri", redirectURI),
                .init("code_verifier", proofKey.verifier.rawValue),
            ])
    }

    /// Returns a token request with a device code. The client repeats the request to poll for the user's
    /// decision.
    public func tokenRequest(deviceCode: Token<DeviceAuthorization>) -> FormRequest {
        makeTokenRequest(
            grantType: IssuerMetadata.Grant.deviceCode,
            parameters: [.init("device_code", deviceCode.rawValue)])
    }

    public func refreshRequest(refreshToken: Token<RefreshToken>) -> FormRequest {
        makeTokenRequest(
            grantType: IssuerMetadata.Grant.refreshToken,
            parameters: [.init("refresh_token", refreshToken.rawValue)])
    }

    /// Returns a token request with client credentials, which requires no user.
    public func clientCredentialsRequest(scope: Scope) -> FormRequest {
        makeTokenRequest(
            grantType: IssuerMetadata.Grant.clientCredentials, parameters: scopeParameters(for: scope))
    }

    /// Returns a device authorization request; `nil` if the server does not support it.
    public func deviceAuthorizationRequest(scope: Scope, loginHint: String?) -> FormRequest? {
        metadata.deviceAuthorizationEndpoint.map {
            FormRequest(
                to: $0, parameters: scopeParameters(for: scope) + self.loginHintParameters(for: loginHint),
                by: client)
        }
    }

    /// Returns a token revocation request (RFC 7009); `nil` if the server does not support it.
    public func revocationRequest(token: String, kind: TokenKind) -> FormRequest? {
        metadata.revocationEndpoint.map {
            FormRequest(
                to: $0, parameters: [.init("token", token), .init("token_type_hint", kind.rawValue)],
                by: client)
        }
    }

    /// The value of `token_type_hint`.
    public enum TokenKind: String, Hashable, Sendable {
        case access = "access_token"
        case refresh = "refresh_token"
    }

    /// Returns the URL of the sign-in page; `nil` if the server has none. `isRegistration`: whether to open
    /// the page that creates an account.
    public func authorizationPageURL(
        for authorization: PendingAuthorization, scope: Scope, loginHint: String?, isRegistration: Bool,
        sha256Function: ([UInt8]) -> [UInt8]
    ) -> String? {
        guard metadata.signInMethods(hasClientSecret: false).contains(.browser) else { return nil }
        var parameters: [Form.Parameter] = [
            .init("response_type", "code"), .init("client_id", clientID),
            .init("redirect_uri", authorization.redirect), .init("state", authorization.state),
            .init("code_challenge", authorization.proof.computeChallenge(sha256Function: sha256Function)),
            .init("code_challenge_method", ProofKey.method),
        ]
        parameters += scopeParameters(for: scope)
        if scope.contains("openid") { parameters.append(.init("nonce", authorization.nonce)) }
        // Send only one value of `prompt`. `create` takes precedence over `consent`.
        if isRegistration, metadata.promptValues?.contains("create") == true {
            parameters.append(.init("prompt", "create"))
        } else if scope.contains("offline_access") {
            // OpenID Connect Core §11 requires `prompt=consent` for `offline_access`, the scope that requests
            // a refresh token.
            parameters.append(.init("prompt", "consent"))
        }
        return metadata.authorizationEndpoint?.addingQueryParameters(
            parameters + self.loginHintParameters(for: loginHint))
    }

    /// Returns a token exchange request (RFC 8693), which exchanges the access token for the issuer's
    /// assertion about the user. The response is a `UserAssertion`. `audience`: the token endpoint of the
    /// service that will receive the assertion.
    public func tokenExchangeRequest(accessToken: Token<AccessToken>, audience: EndpointURL) -> FormRequest {
        makeTokenRequest(
            grantType: IssuerMetadata.Grant.tokenExchange,
            parameters: [
                .init("subject_token", accessToken.rawValue),
                .init("subject_token_type", "urn:ietf:params:oauth:token-type:access_token"),
                .init("requested_token_type", UserAssertion.tokenType),
                .init("audience", audience.description),
            ])
    }

    private func makeTokenRequest(grantType grant: String, parameters: [Form.Parameter]) -> FormRequest {
        FormRequest(
            to: metadata.tokenEndpoint, parameters: [.init("grant_type", grant)] + parameters, by: client)
    }

    private var client: AuthenticatedClient { metadata.makeClient(id: clientID, secret: secret) }

    private func scopeParameters(for scope: Scope) -> [Form.Parameter] {
        scope.isEmpty ? [] : [.init("scope", scope.description)]
    }

    private func loginHintParameters(for text: String?) -> [Form.Parameter] {
        text.map { [.init("login_hint", $0)] } ?? []
    }
}
