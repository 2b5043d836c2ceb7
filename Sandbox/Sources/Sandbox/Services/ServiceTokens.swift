import Crypto
import CutieAPI
import Hummingbird

/// The public keys of an issuer, which verify its assertions about users.
protocol IssuerKeySource: Sendable {
    /// Returns the key with this ID; `nil` if the issuer has no such key. Throws if the keys cannot be
    /// fetched.
    func findKey(id: String) async throws -> P256.Signing.PublicKey?
}

/// The URLs that the claims of an assertion must match.
struct ServiceAddresses: Sendable {
    /// The URL of the issuer that authenticates users.
    let issuer: String
    let tokenEndpoint: String
    /// The `engineLink` in the description of the service.
    let link: String

    fileprivate func matches(resource: String?) -> Bool {
        resource == link || resource.map { $0 + "/" } == link
    }
}

/// The token endpoint of a service (RFC 7523). A client first registers its public key for a user, with two
/// assertions: one from the issuer about the user and one from the client. Later, the client signs assertions
/// with this key to get tokens for apps.
struct ServiceTokens: Sendable {
    let archive: Archive
    let keys: any IssuerKeySource
    /// The scopes that the service can grant to apps.
    let scopes: Set<String>
    /// The lifetime of an access token, in seconds.
    let lifetime: Int

    private static let proofType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// Returns tokens for an assertion. If the `Authorization` header contains a service token, the assertion
    /// is about an app; otherwise, the assertion is about a user.
    func redeemAssertion(of call: SandboxCall, form: FormParameters, addresses: ServiceAddresses) async throws
        -> TokenResponse
    {
        let assertion = try form.requireParameter("assertion")
        let client = try form.requireParameter("client_id")
        if call.header(HeaderName.authorization) == nil, form["client_assertion"] != nil {
            return try await registerClient(
                with: SignedAssertion(assertion), form: form, clientID: client, addresses: addresses)
        }
        let token = try call.parseBearerToken()
        return try await authorizeApp(
            with: SignedAssertion(assertion), form: form, clientID: client, accessToken: token,
            addresses: addresses
        )
    }

    /// Exchanges a refresh token for new tokens; returns `nil` if the token was not issued by this endpoint.
    ///
    /// - Throws: `Refusal` (`invalid_grant`).
    func exchangeRefreshToken(in form: FormParameters) async throws -> TokenResponse? {
        let token = try form.requireParameter("refresh_token")
        let pair = try await archive.change { [lifetime] in
            try $0.exchangeServiceRefreshToken(
                token, clientID: form["client_id"], accessTokenLifetime: lifetime)
        }
        return try pair?.get().makeResponse(accessTokenLifetime: lifetime)
    }

    /// Revokes a token. Returns `false` if the token was not issued by this endpoint.
    ///
    /// - Throws: `Refusal` (`invalid_grant`).
    func revokeToken(in form: FormParameters) async throws -> Bool {
        let token = try form.requireParameter("token")
        return try await archive.change {
            try $0.revokeGrant(ofServiceToken: token, clientID: form["client_id"])
        }
    }

    private func registerClient(
        with assertion: SignedAssertion, form: FormParameters, clientID client: String,
        addresses: ServiceAddresses
    ) async throws -> TokenResponse {
        guard try form.requireParameter("client_assertion_type") == Self.proofType else {
            throw Refusal.oauthError("invalid_request", "client_assertion_type must be \(Self.proofType)")
        }
        let proof = try SignedAssertion(try form.requireParameter("client_assertion"))
        guard assertion.claims.issuer == addresses.issuer else {
            throw SignedAssertion.makeRefusal(reason: "is not from the issuer \(addresses.issuer)")
        }
        guard let id = assertion.keyID, let issuerKey = try await keys.findKey(id: id) else {
            throw SignedAssertion.makeRefusal(reason: "is signed by a key that the issuer does not have")
        }
        try assertion.requireSignature(with: issuerKey)
        guard assertion.claims.client == client else {
            throw SignedAssertion.makeRefusal(reason: "was issued for another client")
        }
        let key = try proof.requireProofKey()
        guard proof.claims.issuer == client, proof.claims.subject == client else {
            throw SignedAssertion.makeRefusal(reason: "of the client belongs to another client")
        }
        let asked = assertion.claims.scope.map { Set($0.split(separator: " ").map(String.init)) }
        let grant = ServiceGrant.makeClientGrant(
            for: assertion, key: key, scopes: asked.map { scopes.intersection($0) } ?? scopes)
        return try await addGrant(grant, consuming: [assertion, proof], addresses: addresses)
    }

    private func authorizeApp(
        with assertion: SignedAssertion, form: FormParameters, clientID client: String,
        accessToken token: String,
        addresses: ServiceAddresses
    ) async throws -> TokenResponse {
        let found = try await archive.read { try $0.findServiceGrant(ofAccessToken: token)?.0 }
        guard let parent = found, parent.appID == nil else {
            throw Refusal.invalidToken("the service token is unknown, expired or revoked")
        }
        let claims = assertion.claims
        guard try assertion.requireProofKey().hasSamePoint(as: parent.key) else {
            throw SignedAssertion.makeRefusal(reason: "is not signed with the registered key")
        }
        guard claims.issuer == parent.clientID, client == parent.clientID,
            claims.subject == parent.subject
        else { throw SignedAssertion.makeRefusal(reason: "belongs to another client or user") }
        guard addresses.matches(resource: claims.resource) else {
            throw SignedAssertion.makeRefusal(reason: "is not for the resource \(addresses.link)")
        }
        guard let app = claims.authorizedParty, (1...256).contains(app.utf8.count) else {
            throw SignedAssertion.makeRefusal(reason: "names no app (azp)")
        }
        let asked = form["scope"].map { Set($0.split(separator: " ").map(String.init)) } ?? parent.scopes
        guard asked.isSubset(of: parent.scopes) else {
            throw Refusal.oauthError("invalid_scope", "an app is allowed \(parent.scopeList)")
        }
        return try await addGrant(
            parent.makeAppGrant(forApp: app, scopes: asked), consuming: [assertion], addresses: addresses)
    }

    /// Validates and consumes the assertions, and stores the grant, in one transaction. If one assertion is
    /// invalid, none is consumed.
    private func addGrant(
        _ grant: ServiceGrant, consuming assertions: [SignedAssertion], addresses: ServiceAddresses
    ) async throws -> TokenResponse {
        try await archive.change { [lifetime] change in
            for assertion in assertions {
                try assertion.requireValidity(forAudience: addresses.tokenEndpoint, at: change.now)
                try change.consume(assertion)
            }
            return try change.addGrant(grant, accessTokenLifetime: lifetime)
        }.makeResponse(accessTokenLifetime: lifetime)
    }
}

extension SignedAssertion {
    /// Returns the public key in the `cnf` claim. Verifies that the assertion was signed with this key.
    ///
    /// - Throws: `Refusal` (`invalid_grant`).
    fileprivate func requireProofKey() throws(Refusal) -> WebKey {
        guard let key = claims.confirmation?.key, let verifying = key.verifying else {
            throw Self.makeRefusal(reason: "contains no P-256 key (cnf.jwk)")
        }
        try requireSignature(with: verifying)
        return key
    }
}

extension ServiceTokenPair {
    fileprivate func makeResponse(accessTokenLifetime: Int) -> TokenResponse {
        TokenResponse(
            accessToken: accessToken, refreshToken: refreshToken, expiresIn: accessTokenLifetime,
            tokenType: "Bearer",
            scope: grant.appID == nil ? nil : grant.scopeList)
    }
}

extension Refusal {
    /// Returns the error for an invalid access token (`invalid_token` in RFC 6750, 3.1).
    static func invalidToken(_ description: String) -> Refusal {
        var refusal = Refusal.oauthError("invalid_token", description, .unauthorized)
        refusal.challenge = "Bearer error=\"invalid_token\""
        return refusal
    }
}

extension SandboxCall {
    /// Returns the bearer token from the `Authorization` header.
    ///
    /// - Throws: `Refusal` (401).
    fileprivate func parseBearerToken() throws(Refusal) -> String {
        let words = (header(HeaderName.authorization) ?? "").split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else {
            throw .invalidToken(
                "an app's assertion needs the service token, a user's needs client_assertion")
        }
        return String(words[1])
    }
}
