import CutieAPI
import HTTPTypes
import Hummingbird

/// Routes for OAuth tokens: the token endpoint `POST /v1/auth/oauth/token` (RFC 6749), token revocation (RFC
/// 7009) and user info (OpenID Connect Core 1.0).
struct TokenRoutes: Sendable {
    let archive: Archive
    let requestParser: RequestParser
    let signer: IdentitySigner
    let rules: TokenRules
    let algorithm: IDTokenAlgorithm
    let isSecure: Bool

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addResource(at: Issuer.Path.token.route, [.post: issueToken])
        if requestParser.isEnabled(.revocation) {
            router.addResource(at: Issuer.Path.revoke.route, [.post: revokeToken])
        }
        router.addResource(at: Issuer.Path.userInfo.route, [.get: showUserInfo, .post: showUserInfo])
    }

    @Sendable private func issueToken(_ call: SandboxCall) async throws -> Response {
        let form = try FormParameters(call)
        let word = try form.requireParameter("grant_type")
        guard let grant = GrantType(rawValue: word), requestParser.supports(grant) else {
            let known = GrantType.allCases.filter { requestParser.supports($0) }.map(\.rawValue)
            throw Refusal.oauthError(
                "unsupported_grant_type", "it must be one of \(known.joined(separator: ", "))")
        }
        switch grant {
        case .clientCredentials:
            return try await respondWithTokens(to: call, form: form) {
                .success(try $0.issueClientTokens(to: $1, form: form, rules: $2))
            }
        case .authorizationCode:
            return try await respondWithTokens(to: call, form: form) {
                try $0.redeemAuthorizationCode(by: $1, form: form, rules: $2)
            }
        case .deviceCode:
            return try await respondWithTokens(to: call, form: form) {
                try $0.redeemDeviceCode(by: $1, form: form, rules: $2)
            }
        case .refreshToken:
            if let answer = try await services.exchangeRefreshToken(in: form) {
                return try .json(answer).uncacheableResponse
            }
            return try await respondWithTokens(to: call, form: form) { change, claim, rules in
                try change.exchangeRefreshToken(
                    try form.requireParameter("refresh_token"), by: claim, narrowedTo: form["scope"],
                    rules: rules
                )
            }
        case .tokenExchange:
            let issuer = try Issuer(call, isSecure: isSecure)
            let exchange = TokenExchange(archive: archive, signer: signer, issuer: issuer)
            return try await .json(exchange.exchangeToken(in: form, by: ClientCredentials(call, form)))
                .uncacheableResponse
        case .jwtBearer:
            let issuer = try Issuer(call, isSecure: isSecure)
            return try await .json(services.redeemAssertion(of: call, form: form, addresses: issuer.service))
                .uncacheableResponse
        }
    }

    /// The handler for assertions. The API is also a service that accepts assertions of its own issuer.
    private var services: ServiceTokens {
        ServiceTokens(
            archive: archive, keys: signer,
            scopes: Set(Set<Scope>.offered.subtracting(.identity).map(\.rawValue)),
            lifetime: rules.accessTokenLifetime)
    }

    /// Issues tokens. `grant` returns some failures as a `Result`, so that its changes (such as a revoked
    /// token family or a stored poll time) are committed despite the failure.
    private func respondWithTokens(
        to call: SandboxCall, form: FormParameters,
        _ grant:
            @escaping @Sendable (SandboxTransaction, ClientCredentials, TokenRules) throws -> Result<
                IssuedTokens, Refusal
            >
    ) async throws -> Response {
        let claim = try ClientCredentials(call, form)
        let tokens = try await archive.change { [rules] in try grant($0, claim, rules) }.get()
        return try await .json(makeResponse(with: tokens, to: call)).uncacheableResponse
    }

    private func makeResponse(with tokens: IssuedTokens, to call: SandboxCall) async throws -> TokenResponse {
        var answer = TokenResponse(
            accessToken: tokens.accessToken, refreshToken: tokens.refreshToken,
            expiresIn: rules.accessTokenLifetime,
            tokenType: "Bearer", scope: tokens.scopes.scopeList)
        if let signIn = tokens.signIn, signIn.scopes.contains(.openID) {
            answer.identityToken = try await signer.sign(
                IdentityToken(signIn, by: Issuer(call, isSecure: isSecure), with: tokens.accessToken),
                with: algorithm)
        }
        return answer
    }

    /// Revokes a token. Succeeds even if the token is unknown, as RFC 7009 requires.
    @Sendable private func revokeToken(_ call: SandboxCall) async throws -> Response {
        let form = try FormParameters(call)
        if try await services.revokeToken(in: form) { return Response(status: .ok).uncacheableResponse }
        let claim = try ClientCredentials(call, form)
        let token = try form.requireParameter("token")
        try await archive.change { change in
            try change.revoke(token, by: try claim.authenticateClient(in: change.database))
        }
        return Response(status: .ok).uncacheableResponse
    }

    @Sendable private func showUserInfo(_ call: SandboxCall) async throws -> Response {
        let token = try requestParser.parseAccessToken(of: call)
        return try .json(
            await archive.read { database in
                let staff = try database.requireAdmin(ofAccessToken: token, scopes: .openID)
                guard let person = staff.admin else { throw Refusal.insufficientScope(missing: [.openID]) }
                return UserInfo(person, staff.scopes)
            }
        ).uncacheableResponse
    }
}

struct TokenResponse: Codable {
    let accessToken: String
    let refreshToken: String?
    let expiresIn: Int
    let tokenType: String
    let scope: String?
    var identityToken: String?

    enum CodingKeys: String, CodingKey {
        case scope
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case expiresIn = "expires_in"
        case tokenType = "token_type"
        case identityToken = "id_token"
    }
}

/// The claims about the signed-in user that the scopes of the token allow.
private struct UserInfo: Encodable {
    let subject: String
    let adminID: String
    let name: String?
    let email: String?
    let isEmailVerified: Bool?

    enum CodingKeys: String, CodingKey {
        case name, email
        case subject = "sub"
        case adminID = "admin_id"
        case isEmailVerified = "email_verified"
    }

    init(_ admin: Admin, _ scopes: Set<Scope>) {
        (subject, adminID) = (admin.subject, admin.id)
        name = scopes.contains(.profile) ? admin.name : nil
        email = scopes.contains(.email) ? admin.email : nil
        isEmailVerified = scopes.contains(.email) ? admin.isEmailVerified : nil
    }
}

extension SandboxTransaction {
    /// Returns tokens for a client with a secret (`client_credentials`).
    fileprivate func issueClientTokens(
        to credentials: ClientCredentials, form: FormParameters, rules: TokenRules
    ) throws -> IssuedTokens {
        let client = try credentials.authenticateClient(in: database)
        guard !client.isPublic else {
            throw Refusal.oauthError(
                "unauthorized_client", "\(client.id) has no secret and is only for the sign-in of people")
        }
        return try issueTokens(
            to: client, scopes: try client.scopes.narrowed(to: form["scope"]), rules: rules)
    }
}

extension Response {
    /// A copy of this response with the headers that forbid caching (RFC 6749, 5.1).
    var uncacheableResponse: Response {
        var response = self
        response.headers[.cacheControl] = "no-store"
        if let pragma = HTTPField.Name("Pragma") { response.headers[pragma] = "no-cache" }
        return response
    }
}
