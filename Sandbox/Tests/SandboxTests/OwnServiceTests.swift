import CutieAPI
import Foundation
import Sandbox
import TestSupport
import Testing

/// Tests of the sandbox API as a service: apps receive tokens with the scopes that the user allowed.
@Suite struct OwnServiceTests {
    /// Returns a service client of the sandbox API, for a user who signed in with `scope`.
    private static func client(
        of sandbox: RunningSandbox, scope: String = TestIssuer.scope
    ) async throws -> ServiceClient {
        let issuer = try await sandbox.issuer()
        let tokens = try await issuer.tokens(["scope": scope])
        return ServiceClient(
            service: sandbox.server, issuer: issuer, tokens: tokens, place: "/v1/auth/oauth/")
    }

    @Test func `An app with an app token can reply on behalf of the user within the scope of the token`()
        async throws
    {
        try await withSandbox { sandbox in
            let device = try await sandbox.device()
            let conversation = try await device.begin()
            let client = try await Self.client(of: sandbox)
            let service = try await client.registered()
            let reader = try await client.authorized(under: service.access_token, scope: "conversations:read")
            let writer = try await client.authorized(under: service.access_token, scope: "messages:write")
            let path = "/v1/conversations/\(conversation)"
            #expect(try await sandbox.status("GET", path, reader) == 200)
            #expect(try await sandbox.status("GET", path, writer) == 403)
            let body = #"{"message":"We are looking"}"#
            #expect(try await sandbox.status("POST", path + "/messages", reader, body) == 403)
            let answer = try await sandbox.call(
                "POST", path + "/messages", ["Authorization": "Bearer \(writer.access_token)"], body)
            let message: Message = try answer.decoded()
            #expect(message.senderID == client.issuer.adminID && message.senderName == "Kim")
            let bare = ServiceClient.Answer(
                access_token: service.access_token, token_type: "", expires_in: 0, refresh_token: "",
                scope: nil)
            #expect(try await sandbox.status("GET", path, bare) == 403)
        }
    }

    @Test func `Revoking a service token revokes its app tokens`() async throws {
        try await withSandbox { sandbox in
            let client = try await Self.client(of: sandbox)
            let service = try await client.registered()
            let app = try await client.authorized(under: service.access_token, scope: "conversations:read")
            let fresh: ServiceClient.Answer = try await client.refresh(app.refresh_token).decoded()
            #expect(try await sandbox.status("GET", "/v1/conversations", fresh) == 200)
            #expect(try await client.revoke(service.access_token).status == 200)
            let answer = try await sandbox.call(
                "GET", "/v1/conversations", ["Authorization": "Bearer \(fresh.access_token)"])
            #expect(answer.status == 401)
            #expect(answer.header("WWW-Authenticate") == #"Bearer error="invalid_token""#)
            #expect(try await client.authorize(under: service.access_token).status == 401)
            #expect(try await client.issuer.works(client.tokens.access_token))
        }
    }

    @Test func `An app token grants no permission that the signed-in user does not have`() async throws {
        try await withSandbox { sandbox in
            let client = try await Self.client(of: sandbox, scope: "openid conversations:read")
            let service = try await client.registered().access_token
            let wide = try await client.authorize(under: service, scope: "messages:write")
            #expect(wide.error == "invalid_scope")
            let person = try await client.authorize(under: service, scope: "openid")
            #expect(person.error == "invalid_scope")
            #expect(try await client.authorized(under: service).scope == "conversations:read")
        }
    }

    @Test func `An app token is not accepted as a user token`() async throws {
        try await withSandbox { sandbox in
            let client = try await Self.client(of: sandbox)
            let service = try await client.registered()
            let app = try await client.authorized(under: service.access_token)
            for token in [service.access_token, app.access_token] {
                let answer = try await client.issuer.exchange(token, ["audience": client.endpoint])
                #expect(answer.error == "invalid_grant")
            }
            #expect(try await sandbox.status("GET", "/v1/auth/userinfo", app) == 403)
        }
    }

    @Test func `A user assertion is accepted only once, and only if it was issued for this API`() async throws
    {
        try await withSandbox { sandbox in
            let client = try await Self.client(of: sandbox)
            let elsewhere = try await client.statement(to: "https://service.example/token")
            #expect(try await client.register(elsewhere).error == "invalid_grant")
            let statement = try await client.statement()
            #expect(try await client.register(statement).status == 200)
            #expect(try await client.register(statement).error == "invalid_grant")
        }
    }

    @Test func `The event stream of an app ends when its token is revoked`() async throws {
        try await withSandbox { sandbox in
            let client = try await Self.client(of: sandbox)
            let service = try await client.registered()
            let app = try await client.authorized(under: service.access_token, scope: "conversations:read")
            let stream = try OpenStream(sandbox, ["Authorization": "Bearer \(app.access_token)"])
            try await stream.opened()
            #expect(try await client.revoke(service.access_token).status == 200)
            try await eventually("end of the stream") { stream.isEnded }
        }
    }
}

extension TestIssuer {
    /// Requests a token as an app, on behalf of this user. Returns the response.
    func app(with tokens: Tokens) async throws -> ServiceClient.Answer {
        let client = ServiceClient(
            service: sandbox.server, issuer: self, tokens: tokens, place: "/v1/auth/oauth/")
        let app = try await client.authorized(under: client.registered().access_token)
        try #require(try await works(app.access_token))
        return app
    }
}

extension RunningSandbox {
    fileprivate func status(
        _ method: String, _ path: String, _ token: ServiceClient.Answer, _ body: String? = nil
    ) async throws -> Int {
        try await call(method, path, ["Authorization": "Bearer \(token.access_token)"], body).status
    }
}
