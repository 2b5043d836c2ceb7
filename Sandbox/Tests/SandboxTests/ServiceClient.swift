import Crypto
import CutieAPI
import Foundation
import Sandbox
import TestSupport
import Testing

/// A client of a service. Like the daemon, the client has its own key and requests tokens for apps.
struct ServiceClient: Sendable {
    let service: TestServer
    let issuer: TestIssuer
    /// The user's tokens from the issuer.
    let tokens: TestIssuer.Tokens
    /// The path prefix of the endpoints `token` and `revoke`.
    var place = "/oauth2/"
    let key = P256.Signing.PrivateKey()

    static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    static let app = "org.example.Reader"

    /// Claims by name. A value is a string, a number or an object. `Absent` removes a default claim.
    typealias Claims = [String: any Sendable]
    struct Absent: Sendable {}

    struct Answer: Decodable, Sendable {
        let access_token: String
        let token_type: String
        let expires_in: Int
        let refresh_token: String
        let scope: String?
    }

    var endpoint: String { service.url + place + "token" }

    /// Requests an assertion about the user from the issuer.
    func statement(to audience: String? = nil) async throws -> String {
        struct Exchanged: Decodable { let access_token: String }
        let answer = try await issuer.exchange(tokens.access_token, ["audience": audience ?? endpoint])
        return try answer.decoded(Exchanged.self).access_token
    }

    func post(
        _ path: String, _ fields: [String: String], under token: String? = nil
    ) async throws -> RunningSandbox.Answer {
        let bearer = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
        let fields = ["client_id": "cutied"].merging(fields) { $1 }.filter { !$0.value.isEmpty }
        return try await service.call(
            "POST", place + path, TestIssuer.form.merging(bearer) { $1 }, TestBrowser.form(fields))
    }

    /// Requests a service token. `fields` replaces form fields; an empty value removes the field.
    func register(
        _ statement: String? = nil, proof: String? = nil, fields: [String: String] = [:]
    ) async throws -> RunningSandbox.Answer {
        let statement = if let statement { statement } else { try await self.statement() }
        return try await post(
            "token",
            [
                "grant_type": Self.jwtBearer, "assertion": statement,
                "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                "client_assertion": try proof ?? self.proof(),
            ].merging(fields) { $1 })
    }

    func registered() async throws -> Answer {
        let answer = try await register()
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try answer.decoded()
    }

    /// Returns a client assertion, which proves that the client has its private key.
    func proof(_ changes: Claims = [:], signedBy signer: P256.Signing.PrivateKey? = nil) throws -> String {
        try token(["iss": "cutied", "sub": "cutied"].merging(changes) { $1 }, signedBy: signer)
    }

    /// Returns an assertion that identifies the app and the user.
    func appAssertion(
        _ changes: Claims = [:], signedBy signer: P256.Signing.PrivateKey? = nil
    ) throws -> String {
        guard case .text(let person)? = try tokens.claims()["sub"] else { throw URLError(.badServerResponse) }
        let claims: Claims = [
            "iss": "cutied", "sub": person, "azp": Self.app, "resource": service.url + "/",
        ]
        return try token(claims.merging(changes) { $1 }, signedBy: signer)
    }

    /// Requests tokens for an app. Authenticates with the service token `token`.
    func authorize(
        under token: String?, _ assertion: String? = nil, scope: String = ""
    ) async throws -> RunningSandbox.Answer {
        try await post(
            "token",
            [
                "grant_type": Self.jwtBearer, "assertion": try assertion ?? appAssertion(), "scope": scope,
            ], under: token)
    }

    func authorized(under token: String, scope: String = "", app: String = app) async throws -> Answer {
        let answer = try await authorize(under: token, try appAssertion(["azp": app]), scope: scope)
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try answer.decoded()
    }

    func refresh(
        _ token: String, _ fields: [String: String] = [:]
    ) async throws -> RunningSandbox.Answer {
        try await post(
            "token", ["grant_type": "refresh_token", "refresh_token": token].merging(fields) { $1 })
    }

    func revoke(_ token: String, _ fields: [String: String] = [:]) async throws -> RunningSandbox.Answer {
        try await post(
            "revoke", ["token": token, "token_type_hint": "access_token"].merging(fields) { $1 })
    }

    func use(
        _ token: String?, _ name: String = "com.cuti-e.conversations"
    ) async throws -> RunningSandbox.Answer {
        let bearer = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
        return try await service.call("GET", "/protocols/" + name, bearer)
    }

    /// Returns a signed assertion that contains the client's public key (`cnf`) and expires after five
    /// minutes.
    private func token(_ claims: Claims, signedBy signer: P256.Signing.PrivateKey?) throws -> String {
        let now = Int(Date.now.timeIntervalSince1970)
        let usual: Claims = [
            "aud": endpoint, "iat": now, "exp": now + 300, "jti": UUID().uuidString,
            "cnf": ["jwk": Self.webKey(key.publicKey)],
        ]
        let all = usual.merging(claims) { $1 }.filter { !($0.value is Absent) }
        return try Self.signed(all, by: signer ?? key)
    }

    /// Returns a signed JSON Web Token.
    ///
    /// - Parameter header: header fields in addition to `alg` and `typ`.
    static func signed(
        _ claims: Claims, by key: P256.Signing.PrivateKey, header: Claims = [:]
    ) throws -> String {
        let header: Claims = ["alg": "ES256", "typ": "JWT"].merging(header) { $1 }
        let parts = try [header, claims].map { part in
            try JSONSerialization.data(withJSONObject: part).base64URL
        }
        let text = parts.joined(separator: ".")
        return try text + "." + key.signature(for: Data(text.utf8)).rawRepresentation.base64URL
    }

    static func webKey(_ key: P256.Signing.PublicKey) -> [String: String] {
        let point = key.rawRepresentation
        return [
            "kty": "EC", "crv": "P-256", "x": point.prefix(32).base64URL, "y": point.suffix(32).base64URL,
        ]
    }
}

/// Runs `body` with a signed-in user and a service for which the client has not yet registered a key.
func withServiceClient(
    _ choose: @escaping @Sendable (inout ServiceOptions) -> Void = { _ in },
    _ body: @escaping @Sendable (ServiceClient) async throws -> Void
) async throws {
    try await withSandbox { sandbox in
        let issuer = try await sandbox.issuer()
        let tokens = try await issuer.tokens()
        try await withService(issuer: sandbox.address.url, choose) { service in
            try await body(ServiceClient(service: service, issuer: issuer, tokens: tokens))
        }
    }
}
