import CutieAPI
import Foundation
import Sandbox
import TestSupport
import Testing

/// Tests of token exchange: an access token is exchanged for an assertion about the user (RFC 8693).
@Suite struct TokenExchangeTests {
    private struct Exchanged: Decodable {
        let access_token: String
        let issued_token_type: String
        let token_type: String
        let expires_in: Int
    }

    @Test func `A user's token is exchanged for an assertion that is valid for one service`() async throws {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let tokens = try await issuer.tokens()
            let audience = "https://service.example/oauth2/token"
            let answer = try await issuer.exchange(tokens.access_token, ["audience": audience])
            #expect(answer.status == 200 && answer.header("Cache-Control") == "no-store")
            let exchanged: Exchanged = try answer.decoded()
            #expect(exchanged.issued_token_type == "urn:ietf:params:oauth:token-type:jwt")
            #expect(exchanged.token_type == "N_A" && exchanged.expires_in == 300)
            let parts = exchanged.access_token.split(separator: ".")
            let claims = try JSON.decode(
                [String: TestIssuer.Claim].self, from: try #require(Data(base64URL: parts[1])))
            #expect(claims["iss"] == .text(sandbox.address.url) && claims["aud"] == .text(audience))
            #expect(try claims["sub"] == tokens.claims()["sub"])
            #expect(claims["client_id"] == .text("cutied") && claims["azp"] == .text("cutied"))
            #expect(claims["scope"] == nil && claims["jti"] != nil)
            let (iat, exp) = (try #require(claims["iat"]?.number), try #require(claims["exp"]?.number))
            #expect(exp - iat == 300)
            let again: Exchanged = try await issuer.exchange(tokens.access_token, ["audience": audience])
                .decoded()
            #expect(again.access_token != exchanged.access_token)
        }
    }

    @Test(arguments: [
        (["audience": "http://service.example/token"], "invalid_target"),
        (["audience": "service"], "invalid_target"),
        (["audience": "https://kim@service.example/token"], "invalid_target"),
        (["audience": "https://service.example/token#here"], "invalid_target"),
        (["audience": "http://127.0.0.1.example.org/token"], "invalid_target"),
        (["audience": ""], "invalid_request"), (["subject_token": ""], "invalid_request"),
        (["subject_token_type": "urn:ietf:params:oauth:token-type:id_token"], "invalid_request"),
        (["subject_token_type": ""], "invalid_request"),
        (["requested_token_type": "urn:ietf:params:oauth:token-type:access_token"], "invalid_request"),
        (["subject_token": "cutie_at_unknown"], "invalid_grant"),
        (["client_id": "another"], "invalid_client"),
    ])
    func `A refused token exchange returns an error code`(
        changes: [String: String], word: String
    ) async throws {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let answer = try await issuer.exchange(try await issuer.tokens().access_token, changes)
            #expect(answer.error == word && answer.status == (word == "invalid_client" ? 401 : 400))
        }
    }

    @Test func `Refresh tokens, revoked tokens and tokens issued for client credentials cannot be exchanged`()
        async throws
    {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let tokens = try await issuer.tokens()
            let program = try await sandbox.admin().tokens.access_token
            #expect(try await issuer.exchange(program).error == "invalid_grant")
            #expect(try await issuer.exchange(tokens.refresh_token ?? "").error == "invalid_grant")
            let own = [
                "client_id": sandbox.address.client.id, "client_secret": sandbox.address.client.secret,
            ]
            #expect(try await issuer.exchange(tokens.access_token, own).error == "invalid_grant")
            #expect(try await issuer.exchange(tokens.access_token).status == 200)
            _ = try await issuer.post("revoke", ["client_id": "cutied", "token": tokens.access_token])
            #expect(try await issuer.exchange(tokens.access_token).error == "invalid_grant")
        }
    }

    @Test func `Token exchange can be disabled`() async throws {
        try await withSandbox({ $0.disabledFeatures = [.tokenExchange] }) { sandbox in
            let issuer = try await sandbox.issuer()
            let answer = try await issuer.exchange(try await issuer.tokens().access_token)
            #expect(answer.error == "unsupported_grant_type")
        }
    }
}

extension TestIssuer {
    /// Requests an assertion about the user. `changes` replaces parameters; an empty value removes a
    /// parameter.
    func exchange(
        _ accessToken: String, _ changes: [String: String] = [:]
    ) async throws -> RunningSandbox.Answer {
        try await post(
            "token",
            [
                "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "client_id": "cutied",
                "subject_token": accessToken,
                "subject_token_type": "urn:ietf:params:oauth:token-type:access_token",
                "requested_token_type": "urn:ietf:params:oauth:token-type:jwt",
                "audience": "https://service.example/oauth2/token",
            ].merging(changes) { $1 })
    }
}

extension TestIssuer.Claim {
    var number: Int? { if case .number(let number) = self { number } else { nil } }
}
