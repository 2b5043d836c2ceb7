import CutieAPI
import Foundation
import Sandbox
import Testing

@Suite struct RefreshTests {
    @Test func `An old refresh token is accepted again if the response to its refresh request was lost`()
        async throws
    {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let first = try await issuer.tokens()
            let lost: TestIssuer.Tokens = try await issuer.refresh(first.refresh_token).decoded()
            let second: TestIssuer.Tokens = try await issuer.refresh(first.refresh_token).decoded()
            #expect(lost.refresh_token != second.refresh_token)
            #expect(try await issuer.works(second.access_token))
            #expect(try await !issuer.works(lost.access_token), "it went to nobody")
            let third: TestIssuer.Tokens = try await issuer.refresh(second.refresh_token).decoded()
            #expect(try await issuer.works(third.access_token))
            #expect(third.scope == first.scope)
        }
    }

    @Test func `Reusing a refresh token after its successor was used revokes all tokens of the sign-in`()
        async throws
    {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let first = try await issuer.tokens()
            let second: TestIssuer.Tokens = try await issuer.refresh(first.refresh_token).decoded()
            let third: TestIssuer.Tokens = try await issuer.refresh(second.refresh_token).decoded()
            #expect(try await issuer.works(third.access_token))
            let reused = try await issuer.refresh(first.refresh_token)
            #expect(reused.status == 400 && reused.error == "invalid_grant")
            #expect(try await !issuer.works(third.access_token))
            #expect(try await issuer.refresh(third.refresh_token).error == "invalid_grant")
            #expect(try await issuer.tokens().refresh_token != nil, "a new sign-in is another family")
        }
    }

    @Test func `Using the new access token invalidates the old refresh token`() async throws {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let first = try await issuer.tokens()
            let second: TestIssuer.Tokens = try await issuer.refresh(first.refresh_token).decoded()
            let bearer = ["Authorization": "Bearer \(second.access_token)"]
            #expect(try await sandbox.call("GET", "/v1/nothing", bearer).status == 404)
            #expect(try await issuer.refresh(first.refresh_token).error == "invalid_grant")
            #expect(try await issuer.refresh(second.refresh_token).error == "invalid_grant")
        }
    }

    @Test func `All tokens are revoked if both access tokens from the same refresh token are used`()
        async throws
    {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let first = try await issuer.tokens()
            let thief: TestIssuer.Tokens = try await issuer.refresh(first.refresh_token).decoded()
            let person: TestIssuer.Tokens = try await issuer.refresh(first.refresh_token).decoded()
            #expect(try await issuer.works(person.access_token))
            #expect(try await issuer.refresh(thief.refresh_token).error == "invalid_grant")
            #expect(try await !issuer.works(person.access_token), "the thief's try ended the family")
        }
    }

    @Test func `A server that has no grace period accepts each refresh token only once`() async throws {
        try await withSandbox({ $0.disabledFeatures = [.refreshGrace] }) { sandbox in
            let issuer = try await sandbox.issuer()
            let first = try await issuer.tokens()
            #expect(try await issuer.refresh(first.refresh_token).status == 200)
            #expect(try await issuer.refresh(first.refresh_token).error == "invalid_grant")
        }
    }

    @Test func `A refreshed ID token contains the same user and sign-in time, and no nonce`() async throws {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let first = try await issuer.tokens()
            let second: TestIssuer.Tokens = try await issuer.refresh(first.refresh_token).decoded()
            let (old, new) = (try first.claims(), try second.claims())
            for name in ["iss", "sub", "aud", "auth_time", "admin_id"] { #expect(old[name] == new[name]) }
            #expect(new["nonce"] == nil)
        }
    }

    @Test func `An access token expires after the configured lifetime`() async throws {
        try await withSandbox({ $0.accessTokenLifetime = 1 }) { sandbox in
            let issuer = try await sandbox.issuer()
            let tokens = try await issuer.tokens()
            #expect(tokens.expires_in == 1)
            let bearer = ["Authorization": "Bearer \(tokens.access_token)"]
            var answer = try await sandbox.call("GET", "/v1/conversations", bearer)
            while answer.status == 200 {
                answer = try await sandbox.call("GET", "/v1/conversations", bearer)
            }
            #expect(answer.status == 401)
            #expect(answer.header("WWW-Authenticate") == "Bearer error=\"invalid_token\"")
            #expect(try await issuer.refresh(tokens.refresh_token).status == 200)
        }
    }

    @Test
    func `A refresh may request fewer scopes, and a later refresh may request the original scopes again`()
        async throws
    {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let first = try await issuer.tokens()
            func refresh(_ token: String?, _ scope: String) async throws -> RunningSandbox.Answer {
                try await issuer.ask(
                    "refresh_token", ["refresh_token": token ?? "", "scope": scope])
            }
            #expect(try await refresh(first.refresh_token, "tags:write").error == "invalid_scope")
            let less: TestIssuer.Tokens =
                try await refresh(first.refresh_token, "conversations:read").decoded()
            #expect(less.scope == "conversations:read" && less.id_token == nil)
            let all: TestIssuer.Tokens = try await issuer.refresh(less.refresh_token).decoded()
            #expect(all.scope == first.scope)
        }
    }

    @Test func `A refresh token is accepted only from its client`() async throws {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let tokens = try await issuer.tokens()
            let fields = ["grant_type": "refresh_token", "refresh_token": tokens.refresh_token ?? ""]
            let other = fields.merging(["client_id": sandbox.address.client.id]) { $1 }
            #expect(try await issuer.post("token", other).error == "invalid_grant")
            #expect(try await issuer.post("token", fields).status == 200)
        }
    }
}

/// Tests of token revocation (RFC 7009).
@Suite struct RevocationTests {
    @Test func `Revoking a refresh token revokes all tokens of the sign-in`() async throws {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let (one, other) = (try await issuer.tokens(), try await issuer.tokens())
            let two: TestIssuer.Tokens = try await issuer.refresh(one.refresh_token).decoded()
            let fields = ["client_id": "cutied", "token": two.refresh_token ?? ""]
            for _ in 1...2 {
                let answer = try await issuer.post("revoke", fields)
                #expect(answer.status == 200 && answer.body.isEmpty, "also where it is unknown")
            }
            #expect(try await !issuer.works(two.access_token))
            #expect(try await !issuer.works(one.access_token))
            #expect(try await issuer.refresh(one.refresh_token).error == "invalid_grant")
            #expect(try await issuer.works(other.access_token))
        }
    }

    @Test func `Revoking an access token revokes only that token`() async throws {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let tokens = try await issuer.tokens()
            let fields = [
                "client_id": "cutied", "token": tokens.access_token, "token_type_hint": "refresh_token",
            ]
            #expect(try await issuer.post("revoke", fields).status == 200)
            #expect(try await !issuer.works(tokens.access_token))
            #expect(try await issuer.refresh(tokens.refresh_token).status == 200)
        }
    }

    @Test func `A client cannot revoke tokens of another client`() async throws {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let tokens = try await issuer.tokens()
            let token = ["token": tokens.refresh_token ?? ""]
            #expect(try await issuer.post("revoke", token).error == "invalid_client")
            let (id, secret) = (sandbox.address.client.id, sandbox.address.client.secret)
            let program = token.merging(["client_id": id, "client_secret": secret]) { $1 }
            #expect(try await issuer.post("revoke", program).error == "invalid_grant")
            let nothing = try await issuer.post("revoke", ["client_id": "cutied"])
            #expect(nothing.status == 400 && nothing.error == "invalid_request")
            #expect(try await issuer.works(tokens.access_token))
        }
    }
}
