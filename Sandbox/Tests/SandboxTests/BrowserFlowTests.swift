import CutieAPI
import Foundation
import Sandbox
import TestSupport
import Testing

/// Tests of the authorization code flow (RFC 6749, 4.1; RFC 7636; RFC 9207).
@Suite struct BrowserFlowTests {
    @Test func `An authorization code is exchanged for tokens that identify the user`() async throws {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let browser = issuer.browser()
            let login = try await browser.open(issuer.authorization(["login_hint": "kim@example.org"]))
            #expect(login.title == "Sign in" && login.fields["email"] == "kim@example.org")
            let consent = try await browser.submit(login, ["password": issuer.password])
            #expect(consent.title == "Sign in to cutied?" && consent.text.contains("to write replies"))
            let answer = try await browser.submit(consent, ["decision": "allow"])
            let away = try #require(answer.away)
            #expect(away.hasPrefix("io.cutied.cutied:/signin?code=") && answer.status == 303)
            let parameters = TestIssuer.parameters(of: away)
            #expect(parameters["state"] == "a b&c" && parameters["iss"] == sandbox.address.url)
            let redeemed = try await issuer.redeem(try #require(parameters["code"]))
            #expect(redeemed.status == 200 && redeemed.header("Cache-Control") == "no-store")
            let tokens: TestIssuer.Tokens = try redeemed.decoded()
            #expect(tokens.token_type == "Bearer" && tokens.expires_in == 3600)
            let claims = try tokens.claims()
            #expect(claims["iss"] == .text(sandbox.address.url) && claims["aud"] == .text("cutied"))
            #expect(claims["nonce"] == .text("once") && claims["admin_id"] == .text(issuer.adminID))
            #expect(claims["email"] == .text("kim@example.org") && claims["name"] == .text("Kim"))
            let bearer = ["Authorization": "Bearer \(tokens.access_token)"]
            let info = try await sandbox.call("GET", "/v1/auth/userinfo", bearer)
            let userInfo = try info.decoded([String: TestIssuer.Claim].self)
            #expect(userInfo["sub"] == claims["sub"] && userInfo["sub"] != claims["admin_id"])
        }
    }

    @Test
    func `An authorization code can be used only once, and a second use revokes the tokens of the first use`()
        async throws
    {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let code = try await issuer.code()
            let tokens: TestIssuer.Tokens = try await issuer.redeem(code).decoded()
            #expect(try await issuer.works(tokens.access_token))
            let again = try await issuer.redeem(code)
            #expect(again.status == 400 && again.error == "invalid_grant")
            #expect(try await !issuer.works(tokens.access_token))
            #expect(try await issuer.refresh(tokens.refresh_token).error == "invalid_grant")
        }
    }

    @Test
    func
        `A token request with a wrong verifier, redirect address or client does not consume the authorization code`()
        async throws
    {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let code = try await issuer.code()
            let other = String(repeating: "another-", count: 6)
            #expect(try await issuer.redeem(code, verifier: other).error == "invalid_grant")
            #expect(try await issuer.redeem(code, verifier: "short").error == "invalid_grant")
            #expect(try await issuer.redeem(code, redirect: "cutie://signin").error == "invalid_grant")
            let bare = try await issuer.ask("authorization_code", ["code": code])
            #expect(bare.status == 400 && bare.error == "invalid_request")
            let program = [
                "grant_type": "authorization_code", "code": code, "code_verifier": TestIssuer.verifier,
                "redirect_uri": TestIssuer.redirect, "client_id": sandbox.address.client.id,
                "client_secret": sandbox.address.client.secret,
            ]
            #expect(try await issuer.post("token", program).error == "invalid_grant")
            #expect(try await issuer.redeem(code).status == 200)
        }
    }

    @Test(arguments: [
        "io.cutied.cutied:/signin", "cutie://signin", "http://127.0.0.1:4711/signin", "http://[::1]:1/signin",
    ])
    func `An authorization response is sent to a registered redirect address`(redirect: String) async throws {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let code = try await issuer.code(["redirect_uri": redirect])
            #expect(try await issuer.redeem(code, redirect: redirect).status == 200)
        }
    }

    @Test(arguments: [
        "https://evil.example/signin", "io.cutied.cutied:/signin/more", "io.cutied.cutied:/signin?x=1",
        "http://127.0.0.1.evil.example/signin", "http://127.0.0.1@evil.example/signin",
        "http://localhost:4711/signin", "http://127.0.0.1:4711/other", "https://127.0.0.1/signin", "cutie:",
    ])
    func `Neither a response nor an error is sent to an unregistered redirect address`(redirect: String)
        async throws
    {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let page = try await issuer.browser().open(issuer.authorization(["redirect_uri": redirect]))
            #expect(page.status == 400 && page.away == nil && page.problem.contains("redirect_uri"))
        }
    }

    @Test(arguments: [
        ("response_type", "token", "unsupported_response_type"), ("response_type", nil, "invalid_request"),
        ("code_challenge", nil, "invalid_request"), ("code_challenge_method", nil, "invalid_request"),
        ("code_challenge_method", "plain", "invalid_request"), ("scope", "root", "invalid_scope"),
        ("scope", "sandbox", "invalid_scope"), ("prompt", "none", "login_required"),
    ])
    func `An invalid authorization request is reported to the client as an error code`(
        name: String, value: String?, word: String
    ) async throws {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let page = try await issuer.browser().open(issuer.authorization([name: value]))
            let parameters = TestIssuer.parameters(of: page.away)
            #expect(parameters["error"] == word && parameters["code"] == nil)
            #expect(parameters["state"] == "a b&c" && parameters["iss"] == sandbox.address.url)
        }
    }

    @Test func `If the user denies the request, the client is notified and can then require a new sign-in`()
        async throws
    {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let browser = issuer.browser()
            let consent = try await browser.signIn(issuer.email, issuer.password, to: issuer.authorization())
            let answer = try await browser.submit(consent, ["decision": "refuse"])
            let parameters = TestIssuer.parameters(of: answer.away)
            #expect(parameters["error"] == "access_denied" && parameters["iss"] == sandbox.address.url)
            #expect(try await browser.open(issuer.authorization()).title == "Sign in to cutied?")
            let silent = try await browser.open(issuer.authorization(["prompt": "none"]))
            #expect(TestIssuer.parameters(of: silent.away)["error"] == "consent_required")
            let again = try await browser.open(issuer.authorization(["prompt": "login"]))
            #expect(again.title == "Sign in")
            let asked = try await browser.submit(
                again, ["email": issuer.email, "password": issuer.password])
            #expect(asked.title == "Sign in to cutied?")
        }
    }

    @Test
    func `A refresh token is issued only with the scope offline_access, and an ID token only with openid`()
        async throws
    {
        try await withSandbox { sandbox in
            let issuer = try await sandbox.issuer()
            let tokens = try await issuer.tokens(["scope": "conversations:read"])
            #expect(tokens.refresh_token == nil && tokens.id_token == nil)
            #expect(tokens.scope == "conversations:read")
            let bearer = ["Authorization": "Bearer \(tokens.access_token)"]
            let info = try await sandbox.call("GET", "/v1/auth/userinfo", bearer)
            #expect(info.status == 403)
            #expect(info.header("WWW-Authenticate")?.contains("insufficient_scope") == true)
        }
    }
}
