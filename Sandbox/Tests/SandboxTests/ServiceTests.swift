import Crypto
import CutieAPI
import Foundation
import Sandbox
import TestSupport
import Testing

/// Tests of the tokens that a service issues to users and apps (RFC 7523, RFC 7009, RFC 6750).
@Suite struct ServiceTests {
    private struct Use: Decodable, Equatable {
        let person: String
        let app: String
        let `protocol`: String
        let scope: String
    }

    @Test func `An app token is accepted only for its protocol and scope`() async throws {
        try await withServiceClient { client in
            let service = try await client.registered()
            #expect(service.token_type == "Bearer" && service.expires_in == 3600 && service.scope == nil)
            let token = try await client.authorized(under: service.access_token, scope: "conversations:read")
            #expect(token.scope == "conversations:read" && token.access_token != service.access_token)
            let answer = try await client.use(token.access_token)
            let use: Use = try answer.decoded()
            #expect(try client.tokens.claims()["sub"] == .text(use.person))
            #expect(use.app == ServiceClient.app && use.protocol == "com.cuti-e.conversations")
            #expect(use.scope == "conversations:read")
            let other = try await client.use(token.access_token, "com.cuti-e.replies")
            #expect(other.status == 403)
            #expect(
                other.header("WWW-Authenticate")
                    == #"Bearer error="insufficient_scope", scope="messages:write""#)
            #expect(try await client.use(service.access_token).status == 403)
            #expect(try await client.use(token.access_token, "com.example.unknown").status == 404)
            let all = try await client.authorized(under: service.access_token)
            #expect(all.scope == "conversations:read conversations:write messages:write")
            #expect(try await client.use(all.access_token, "com.cuti-e.staff").status == 200)
        }
    }

    @Test func `A request without a valid token gets an authentication challenge`() async throws {
        try await withServiceClient { client in
            let bare = try await client.use(nil)
            #expect(bare.status == 401)
            #expect(bare.header("WWW-Authenticate") == #"Bearer realm="com.cuti-e.conversations""#)
            let unknown = try await client.use("cutie_st_unknown")
            #expect(unknown.status == 401 && unknown.isInvalidToken)
        }
    }

    @Test func `An expired service token is refused, and the client can then refresh the token`() async throws
    {
        try await withServiceClient({ $0.tokenLife = 1 }) { client in
            let service = try await client.registered()
            #expect(service.expires_in == 1)
            try await eventually("end of the service token") {
                let answer = try await client.authorize(under: service.access_token)
                return answer.status == 401 && answer.isInvalidToken
            }
            let fresh: ServiceClient.Answer = try await client.refresh(service.refresh_token).decoded()
            #expect(fresh.access_token != service.access_token)
        }
    }

    @Test func `An assertion from the issuer can be used only once, by one client at one service`()
        async throws
    {
        try await withServiceClient { client in
            let statement = try await client.statement()
            #expect(
                try await client.register(statement, fields: ["client_id": "other"]).error == "invalid_grant")
            let own = try client.proof(["iss": "other", "sub": "other"])
            #expect(
                try await client.register(statement, proof: own, fields: ["client_id": "other"]).error
                    == "invalid_grant")
            let elsewhere = try await client.statement(to: "https://service.example/token")
            #expect(try await client.register(elsewhere).error == "invalid_grant")
            // The assertion is still valid, because the refused request did not consume it.
            let first = try await client.register(statement)
            #expect(first.status == 200 && first.header("Cache-Control") == "no-store")
            let second = try await client.register(statement)
            #expect(second.status == 400 && second.error == "invalid_grant")
        }
    }

    @Test func `Only the issuer can create assertions about a user`() async throws {
        try await withServiceClient { client in
            let real = try await client.statement().split(separator: ".")
            let header = try JSON.decode([String: String].self, from: try #require(Data(base64URL: real[0])))
            let now = Int(Date.now.timeIntervalSince1970)
            let claims: ServiceClient.Claims = [
                "iss": client.issuer.sandbox.address.url, "sub": "person_1", "aud": client.endpoint,
                "client_id": "cutied", "azp": "cutied", "iat": now, "exp": now + 300, "jti": "1",
            ]
            let forged = try ServiceClient.signed(
                claims, by: client.key, header: ["kid": header["kid"] ?? ""])
            let unknown = try ServiceClient.signed(claims, by: client.key, header: ["kid": "mine"])
            let nameless = try ServiceClient.signed(claims, by: client.key)
            let unsigned = try ServiceClient.signed(claims, by: client.key, header: ["alg": "none"])
            let cut = real[0] + "." + real[1] + "."
            for text in [forged, unknown, nameless, unsigned, String(cut), "no token", "a.b.c"] {
                let answer = try await client.register(text)
                #expect(answer.status == 400 && answer.error == "invalid_grant", "\(text)")
            }
        }
    }

    @Test func `An assertion from an unknown issuer is rejected`() async throws {
        try await withSandbox { other in
            let stranger = try await other.issuer()
            let tokens = try await stranger.tokens()
            try await withServiceClient { client in
                let theirs = ServiceClient(service: client.service, issuer: stranger, tokens: tokens)
                let refused = try await theirs.register()
                #expect(refused.status == 400 && refused.error == "invalid_grant")
                let taken = try await client.register()
                #expect(taken.status == 200)
            }
        }
    }

    @Test(arguments: WrongClaim.ofProofs)
    private func `A registration is rejected if the proof of possession of the key is invalid`(
        wrong: WrongClaim
    ) async throws {
        try await withServiceClient { client in
            let answer = try await client.register(proof: try client.proof(wrong.claims))
            #expect(answer.status == 400 && answer.error == "invalid_grant")
        }
    }

    @Test func `A client must prove possession of the private key for the public key that it registers`()
        async throws
    {
        try await withServiceClient { client in
            let stolen = try client.proof(signedBy: P256.Signing.PrivateKey())
            #expect(try await client.register(proof: stolen).error == "invalid_grant")
            let proof = try client.proof()
            #expect(try await client.register(proof: proof).status == 200)
            #expect(try await client.register(proof: proof).error == "invalid_grant")
            let bare = try await client.register(fields: ["client_assertion_type": ""])
            #expect(bare.status == 400 && bare.error == "invalid_request")
            let odd = try await client.register(fields: ["grant_type": "password"])
            #expect(odd.error == "unsupported_grant_type")
        }
    }

    @Test(arguments: WrongClaim.ofApps)
    private func `An invalid app assertion is rejected`(wrong: WrongClaim) async throws {
        try await withServiceClient { client in
            let token = try await client.registered().access_token
            let answer = try await client.authorize(under: token, try client.appAssertion(wrong.claims))
            #expect(answer.status == 400 && answer.error == "invalid_grant")
        }
    }

    @Test func `An app assertion must be signed with the registered key and can be used only once`()
        async throws
    {
        try await withServiceClient { client in
            let token = try await client.registered().access_token
            let stranger = P256.Signing.PrivateKey()
            let forged = try client.appAssertion(signedBy: stranger)
            #expect(try await client.authorize(under: token, forged).error == "invalid_grant")
            let jwk = ["jwk": ServiceClient.webKey(stranger.publicKey)]
            let foreign = try client.appAssertion(["cnf": jwk], signedBy: stranger)
            #expect(try await client.authorize(under: token, foreign).error == "invalid_grant")
            let assertion = try client.appAssertion()
            let wide = try await client.authorize(under: token, assertion, scope: "conversations:read root")
            #expect(wide.status == 400 && wide.error == "invalid_scope")
            #expect(try await client.authorize(under: token, assertion).status == 200)
            #expect(try await client.authorize(under: token, assertion).error == "invalid_grant")
        }
    }

    @Test func `A request for an app token is refused if it does not contain the service token`() async throws
    {
        try await withServiceClient { client in
            let service = try await client.registered()
            let app = try await client.authorized(under: service.access_token)
            for token in [nil, "cutie_st_unknown", app.access_token, service.refresh_token] {
                let answer = try await client.authorize(under: token)
                #expect(answer.status == 401 && answer.error == "invalid_token" && answer.isInvalidToken)
            }
        }
    }

    @Test func `Refresh tokens are rotated, and reusing a refresh token revokes all tokens derived from it`()
        async throws
    {
        try await withServiceClient { client in
            let service = try await client.registered()
            let app = try await client.authorized(under: service.access_token)
            #expect(
                try await client.refresh(app.refresh_token, ["client_id": "other"]).error == "invalid_grant")
            #expect(try await client.refresh(app.access_token).error == "invalid_grant")
            #expect(try await client.refresh("cutie_sr_unknown").error == "invalid_grant")
            let fresh: ServiceClient.Answer = try await client.refresh(app.refresh_token).decoded()
            #expect(fresh.refresh_token != app.refresh_token && fresh.scope == app.scope)
            #expect(try await client.use(fresh.access_token).status == 200)
            #expect(try await client.refresh(app.refresh_token).error == "invalid_grant")
            #expect(try await client.use(fresh.access_token).status == 401)
            #expect(try await client.refresh(fresh.refresh_token).error == "invalid_grant")
            #expect(try await client.authorize(under: service.access_token).status == 200)
        }
    }

    @Test func `Revoking an app token does not affect the tokens of other apps`() async throws {
        try await withServiceClient { client in
            let service = try await client.registered().access_token
            let first = try await client.authorized(under: service)
            let second = try await client.authorized(under: service, app: "org.example.Other")
            let foreign = try await client.revoke(first.access_token, ["client_id": "other"])
            #expect(foreign.status == 400 && foreign.error == "invalid_grant")
            #expect(try await client.use(first.access_token).status == 200)
            #expect(try await client.revoke(first.access_token).status == 200)
            let answer = try await client.use(first.access_token)
            #expect(answer.status == 401 && answer.isInvalidToken)
            #expect(try await client.refresh(first.refresh_token).error == "invalid_grant")
            #expect(try await client.use(second.access_token).status == 200)
            #expect(try await client.authorize(under: service).status == 200)
            #expect(try await client.revoke(first.access_token).status == 200)
            #expect(try await client.revoke("").error == "invalid_request")
        }
    }

    @Test(arguments: [true, false])
    func `Revoking a service token revokes its app tokens`(isRefreshToken: Bool) async throws {
        try await withServiceClient { client in
            let service = try await client.registered()
            let kept = try await client.registered()
            let app = try await client.authorized(under: service.access_token)
            let other = try await client.authorized(under: kept.access_token)
            let token = isRefreshToken ? service.refresh_token : service.access_token
            #expect(try await client.revoke(token).status == 200)
            let answer = try await client.use(app.access_token)
            #expect(answer.status == 401 && answer.isInvalidToken)
            #expect(try await client.refresh(app.refresh_token).error == "invalid_grant")
            #expect(try await client.refresh(service.refresh_token).error == "invalid_grant")
            #expect(try await client.authorize(under: service.access_token).status == 401)
            #expect(try await client.use(other.access_token).status == 200)
        }
    }

    @Test func `The issuer's keys are cached and are fetched again if a key ID is unknown`() async throws {
        let places = Box<Int>()
        try await withSandbox { await places.put(try #require(URL(string: $0.address.url)?.port)) }
        let port = try #require(await places.value)
        try await withService(issuer: "http://127.0.0.1:\(port)") { service in
            let kept = Box<ServiceClient>()
            let statement = Box<String>()
            try await withSandbox({ $0.port = port }) { sandbox in
                let issuer = try await sandbox.issuer()
                let tokens = try await issuer.tokens()
                let client = ServiceClient(service: service, issuer: issuer, tokens: tokens)
                _ = try await client.registered()
                await statement.put(try await client.statement())
                await kept.put(client)
            }
            let client = try #require(await kept.value)
            #expect(try await client.register(await statement.value).status == 200)
            let now = Int(Date.now.timeIntervalSince1970)
            let unknown = try ServiceClient.signed(
                [
                    "iss": "http://127.0.0.1:\(port)", "sub": "person_1", "aud": client.endpoint,
                    "client_id": "cutied", "iat": now, "exp": now + 300, "jti": "1",
                ], by: client.key, header: ["kid": "new"])
            let answer = try await client.register(unknown)
            #expect(answer.status == 503 && answer.error == "temporarily_unavailable")
            try await withSandbox({ $0.port = port }) { sandbox in
                let issuer = try await sandbox.issuer()
                let tokens = try await issuer.tokens()
                _ = try await ServiceClient(service: service, issuer: issuer, tokens: tokens).registered()
            }
        }
    }
}

private struct WrongClaim: Sendable, CustomTestStringConvertible {
    let name: String
    let value: any Sendable

    init(_ name: String, _ value: any Sendable) { (self.name, self.value) = (name, value) }

    var testDescription: String { "\(name): \(value)" }
    /// The claim to send. An integer value is an offset from the current time, in seconds.
    var claims: ServiceClient.Claims {
        let now = Int(Date.now.timeIntervalSince1970)
        return [name: (value as? Int).map { now + $0 } ?? value]
    }

    private static let everywhere = [
        WrongClaim("iss", "another"), WrongClaim("sub", "another"),
        WrongClaim("aud", "https://service.example/oauth2/token"), WrongClaim("exp", -1),
        WrongClaim("exp", 400), WrongClaim("iat", 200), WrongClaim("jti", ""),
        WrongClaim("jti", ServiceClient.Absent()),
        WrongClaim("exp", ServiceClient.Absent()), WrongClaim("iat", ServiceClient.Absent()),
        WrongClaim("cnf", ServiceClient.Absent()),
        WrongClaim("cnf", ["jwk": ["kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"]]),
    ]
    static let ofProofs = everywhere
    static let ofApps =
        everywhere + [
            WrongClaim("azp", ServiceClient.Absent()), WrongClaim("azp", ""),
            WrongClaim("resource", ServiceClient.Absent()),
            WrongClaim("resource", "https://service.example/"),
        ]
}

extension RunningSandbox.Answer {
    fileprivate var isInvalidToken: Bool {
        header("WWW-Authenticate")?.contains(#"error="invalid_token""#) == true
    }
}
