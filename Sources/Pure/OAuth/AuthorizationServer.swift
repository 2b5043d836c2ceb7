public import CutieAPI

/// What one client asks of one authorization server, as values.
public struct AuthorizationServer: Hashable, Sendable {
    public let metadata: IssuerMetadata
    public let clientID: String
    /// nil: a public client.
    let secret: Token<ClientSecret>?

    public init(_ metadata: IssuerMetadata, clientID: String, secret: Token<ClientSecret>?) {
        (self.metadata, self.clientID, self.secret) = (metadata, clientID, secret)
    }

    public var methods: [SignInMethod] { metadata.methods(hasSecret: secret != nil) }

    public func redeeming(code: Token<AuthorizationCode>, redirect: String, proof: ProofKey) -> FormRequest {
        token(
            IssuerMetadata.Grant.authorizationCode,
            [
                .init("code", code.rawValue), .init("redirect_uri", redirect),
                .init("code_verifier", proof.verifier.rawValue),
            ])
    }

    public func redeeming(deviceCode: Token<DeviceAuthorization>) -> FormRequest {
        token(IssuerMetadata.Grant.deviceCode, [.init("device_code", deviceCode.rawValue)])
    }

    public func refreshing(_ refreshToken: Token<RefreshToken>) -> FormRequest {
        token(IssuerMetadata.Grant.refreshToken, [.init("refresh_token", refreshToken.rawValue)])
    }

    public func clientCredentials(_ scope: Scope) -> FormRequest {
        token(IssuerMetadata.Grant.clientCredentials, parameter(scope))
    }

    /// nil: it is not offered.
    public func deviceAuthorization(_ scope: Scope, hint: String?) -> FormRequest? {
        metadata.deviceAuthorizationEndpoint.map {
            FormRequest($0, parameter(scope) + self.hint(hint), by: client)
        }
    }

    /// RFC 7009. nil: it is not offered.
    public func revoking(_ token: String, kind: TokenKind) -> FormRequest? {
        metadata.revocationEndpoint.map {
            FormRequest($0, [.init("token", token), .init("token_type_hint", kind.rawValue)], by: client)
        }
    }

    public enum TokenKind: String, Hashable, Sendable {
        case access = "access_token"
        case refresh = "refresh_token"
    }

    /// The page where the person signs in. nil: it is not offered.
    public func authorizationPage(
        _ pending: PendingAuthorization, _ scope: Scope, hint: String?, isNew: Bool,
        sha256: ([UInt8]) -> [UInt8]
    ) -> String? {
        guard metadata.methods(hasSecret: false).contains(.browser) else { return nil }
        var parameters: [Form.Parameter] = [
            .init("response_type", "code"), .init("client_id", clientID),
            .init("redirect_uri", pending.redirect), .init("state", pending.state),
            .init("code_challenge", pending.proof.challenge(sha256: sha256)),
            .init("code_challenge_method", ProofKey.method),
        ]
        parameters += parameter(scope)
        if scope.contains("openid") { parameters.append(.init("nonce", pending.nonce)) }
        // OpenID Connect gives a refresh token for `offline_access` only where the person is asked.
        if isNew, metadata.promptValues?.contains("create") == true {
            parameters.append(.init("prompt", "create"))
        } else if scope.contains("offline_access") {
            parameters.append(.init("prompt", "consent"))
        }
        return metadata.authorizationEndpoint?.adding(parameters + self.hint(hint))
    }

    /// A statement of the issuer about who holds the token, for `audience`, the token endpoint of a service: RFC 8693.
    /// The answer is a `PersonAssertion`.
    public func exchanging(_ accessToken: Token<AccessToken>, for audience: EndpointURL) -> FormRequest {
        token(
            IssuerMetadata.Grant.tokenExchange,
            [
                .init("subject_token", accessToken.rawValue),
                .init("subject_token_type", "urn:ietf:params:oauth:token-type:access_token"),
                .init("requested_token_type", PersonAssertion.tokenType),
                .init("audience", audience.description),
            ])
    }

    private func token(_ grant: String, _ parameters: [Form.Parameter]) -> FormRequest {
        FormRequest(metadata.tokenEndpoint, [.init("grant_type", grant)] + parameters, by: client)
    }

    private var client: AuthenticatedClient { metadata.client(clientID, secret: secret) }

    private func parameter(_ scope: Scope) -> [Form.Parameter] {
        scope.isEmpty ? [] : [.init("scope", scope.description)]
    }

    private func hint(_ text: String?) -> [Form.Parameter] { text.map { [.init("login_hint", $0)] } ?? [] }
}
