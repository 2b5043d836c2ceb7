import CutieAPI
import Foundation
import Sandbox
import Testing

@Suite struct CredentialTests {
    private struct Made: Decodable {
        let client_id: String
        let client_secret: String
    }

    private struct Granted: Decodable {
        let access_token: String
        let refresh_token: String
        let scope: String
    }

    private struct Refused: Decodable {
        let error: String
        let error_description: String?
    }

    private static let form = ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"]

    private func make(_ scopes: String, by admin: TestAdmin) async throws -> Made {
        let answer = try await admin.call(
            "POST", "/v1/admin/api-credentials", #"{"name":"bot","scopes":[\#(scopes)]}"#)
        try #require(answer.status == 201, "\(answer.error ?? "")")
        return try answer.decoded()
    }

    private func ask(
        _ sandbox: RunningSandbox, _ body: String, _ headers: [String: String] = form
    ) async throws -> RunningSandbox.Answer {
        try await sandbox.call("POST", "/v1/auth/oauth/token", headers, body)
    }

    @Test func `The token endpoint accepts form-encoded requests, which OAuth clients send`() async throws {
        try await withSandbox({ $0.client = OAuthClient(id: "me & you", secret: "a+b=ü%") }) { sandbox in
            let secret = "a%2Bb%3D%C3%BC%25"
            let body = "grant_type=client_credentials&client_id=me+%26+you&client_secret=\(secret)&scope="
            let answer = try await ask(sandbox, body)
            #expect(answer.status == 200 && answer.header("Cache-Control") == "no-store")
            let granted: Granted = try answer.decoded()
            #expect(granted.scope.contains("messages:write") && granted.scope.contains("analytics:read"))
            let basic = Data("me+%26+you:\(secret)".utf8).base64EncodedString()
            let headers = Self.form.merging(["Authorization": "Basic \(basic)"]) { $1 }
            #expect(try await ask(sandbox, "grant_type=client_credentials", headers).status == 200)
            let plain = Data("me & you:a+b=ü%".utf8).base64EncodedString()
            let bare = Self.form.merging(["Authorization": "Basic \(plain)"]) { $1 }
            #expect(try await ask(sandbox, "grant_type=client_credentials", bare).status == 200)
            let refresh = "grant_type=refresh_token&refresh_token=\(granted.refresh_token)"
            #expect(try await ask(sandbox, refresh).status == 200)
            #expect(try await ask(sandbox, body, headers).decoded(Refused.self).error == "invalid_request")
        }
    }

    @Test(arguments: [
        ("grant_type=client_credentials&client_id=me&client_secret=no", 401, "invalid_client"),
        ("grant_type=client_credentials", 401, "invalid_client"),
        ("grant_type=password&username=a", 400, "unsupported_grant_type"),
        ("client_id=me", 400, "invalid_request"), ("", 400, "invalid_request"),
        ("grant_type=%zz", 400, "invalid_request"), ("grant_type=a&grant_type=b", 400, "invalid_request"),
        ("grant_type=refresh_token&refresh_token=x", 400, "invalid_grant"),
        ("grant_type=client_credentials&client_id=me&client_secret=s&scope=all", 400, "invalid_scope"),
    ])
    func `The token endpoint reports errors with the codes of RFC 6749`(
        body: String, status: Int, word: String
    ) async throws {
        try await withSandbox({ $0.client = OAuthClient(id: "me", secret: "s") }) { sandbox in
            let answer = try await ask(sandbox, body)
            let refused: Refused = try answer.decoded()
            #expect(answer.status == status && refused.error == word)
            #expect(refused.error_description?.isEmpty == false)
            #expect(answer.header("Cache-Control") == "no-store")
            #expect(answer.header("WWW-Authenticate") == nil, "it was not asked by Basic")
        }
    }

    @Test func `A credential is limited to its scopes, and the error for a refusal names the missing scope`()
        async throws
    {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let id = try await device.begin()
            let made = try await make(#""conversations:read","tags:write""#, by: admin)
            #expect(made.client_id.hasPrefix("cutie_ci_") && made.client_secret.hasPrefix("cutie_cs_"))
            let body =
                "grant_type=client_credentials&client_id=\(made.client_id)&client_secret=\(made.client_secret)"
            let granted: Granted = try await ask(sandbox, body).decoded()
            #expect(granted.scope == "conversations:read tags:write")
            let bearer = ["Authorization": "Bearer \(granted.access_token)"]
            let path = "/v1/conversations/\(id)"
            #expect(try await sandbox.call("GET", path, bearer).status == 200)
            #expect(try await sandbox.call("POST", path + "/tags", bearer, #"{"tag":"x"}"#).status == 200)
            let lacking = [
                ("POST", path + "/messages", #"{"message":"x"}"#, "messages:write"),
                ("PATCH", path, #"{"status":"closed"}"#, "conversations:write"),
                ("POST", path + "/assign", #"{"admin_id":"a"}"#, "conversations:write"),
                ("GET", "/v1/analytics/response-times", "", "analytics:read"),
                ("GET", "/v1/canned-responses", "", "canned_responses:read"),
                ("POST", "/v1/canned-responses", #"{"title":"a","content":"b"}"#, "canned_responses:write"),
                (
                    "POST", "/v1/admin/api-credentials", #"{"name":"a","scopes":["tags:write"]}"#,
                    "credentials:write"
                ),
                ("GET", "/v1/sandbox/devices", "", "sandbox"),
            ]
            for (method, path, body, scope) in lacking {
                let answer = try await sandbox.call(method, path, bearer, body.isEmpty ? nil : body)
                #expect(answer.status == 403 && answer.code == .insufficientScope, "\(method) \(path)")
                #expect(answer.error == "insufficient_scope: the token lacks \(scope)")
                let challenge = answer.header("WWW-Authenticate")
                #expect(challenge == "Bearer error=\"insufficient_scope\", scope=\"\(scope)\"")
            }
            #expect(try await device.conversation(id).messages?.count == 1)
        }
    }

    @Test func `Both the access token and the refreshed token are limited to the scope of the token request`()
        async throws
    {
        try await withSandbox { sandbox in
            let admin = try await sandbox.admin()
            let made = try await make(#""conversations:read","tags:write""#, by: admin)
            let client = "client_id=\(made.client_id)&client_secret=\(made.client_secret)"
            let wide = "grant_type=client_credentials&\(client)&scope=analytics%3Aread"
            #expect(try await ask(sandbox, wide).decoded(Refused.self).error == "invalid_scope")
            let narrow = "grant_type=client_credentials&\(client)&scope=tags%3Awrite"
            let granted: Granted = try await ask(sandbox, narrow).decoded()
            #expect(granted.scope == "tags:write")
            let more = "grant_type=refresh_token&refresh_token=\(granted.refresh_token)"
            let renewed: Granted = try await ask(sandbox, more).decoded()
            #expect(renewed.scope == "tags:write")
            for token in [granted.access_token, renewed.access_token] {
                let bearer = ["Authorization": "Bearer \(token)"]
                #expect(try await sandbox.call("GET", "/v1/conversations", bearer).status == 403)
            }
        }
    }

    @Test func `A credential cannot create another credential with more permissions`() async throws {
        try await withSandbox { sandbox in
            let admin = try await sandbox.admin()
            let made = try await make(#""credentials:write","tags:write""#, by: admin)
            let body =
                "grant_type=client_credentials&client_id=\(made.client_id)&client_secret=\(made.client_secret)"
            let granted: Granted = try await ask(sandbox, body).decoded()
            func order(_ text: String) async throws -> RunningSandbox.Answer {
                let bearer = ["Authorization": "Bearer \(granted.access_token)"]
                return try await sandbox.call("POST", "/v1/admin/api-credentials", bearer, text)
            }
            #expect(try await order(#"{"name":"a","scopes":["tags:write"]}"#).status == 201)
            let more = try await order(#"{"name":"a","scopes":["tags:write","analytics:read"]}"#)
            #expect(more.status == 403 && more.error?.hasSuffix("lacks analytics:read") == true)
            let odd = [
                #"{"name":"a","scopes":[]}"#, #"{"name":" ","scopes":["tags:write"]}"#,
                #"{"name":"a","scopes":["tags"]}"#, #"{"name":"a","scopes":["tags:write tags:write"]}"#,
                #"{"name":"a","scopes":"tags:write"}"#, "{}",
            ]
            for text in odd { #expect(try await order(text).status == 422, "\(text)") }
        }
    }
}
