import Config
import ControlAPI
import CutieAPI
import Domain
import Foundation
import OAuth
import Reasons
import Synchronization
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Store

/// Tests of unusable responses from an issuer, and of the messages that the user sees.
@MainActor
struct SignInAnswerTests {
    private let fixture: IngestFixture

    init() throws { fixture = try IngestFixture() }

    /// Signs in with the browser and returns the thrown error.
    private func failure(of unit: AccountUnit, _ issuer: ScriptedIssuer, iss: String? = nil) async throws
        -> (any Error)?
    {
        let service = try unit.requireSignIn()
        let browser = Task {
            try? await service.signIn(by: .browser, loginHint: nil, isNewAccount: false) { _ in }
        }
        defer { browser.cancel() }
        try await eventually("the page is open") { service.pending != nil }
        let pending = try #require(service.pending)
        issuer.state.withLock { $0.nonce = pending.nonce }
        let name = iss ?? "&iss=\(issuer.url)"
        do {
            try await service.completeSignIn(
                with: Redirect("\(pending.redirect)?code=c&state=\(pending.state)\(name)"))
        } catch { return error }
        return nil
    }

    @Test(arguments: [
        ("200 OK", "<html>Log in</html>"), ("200 OK", ""), ("201 Created", "{}"),
        ("200 OK", #"{"access_token":"a"}"#),
        ("200 OK", #"{"access_token":"a","token_type":"mac"}"#),
        ("200 OK", #"{"access_token":"a b","token_type":"Bearer"}"#),
    ])
    func `After an unusable response, an authorization code is not sent again, and the user sees the reason`(
        status: String, body: String
    )
        async throws
    {
        let issuer = try ScriptedIssuer(token: { connection, _, _ in connection.answer(status, body: body) })
        let unit = try fixture.staff(at: issuer.url)
        let failure = try await failure(of: unit, issuer)
        let sentence = SignInFailure.makeReason(for: try #require(failure)).english
        #expect(
            sentence.hasPrefix("the sign-in server sent an invalid response: ")
                && sentence.hasSuffix("; sign in again"))
        #expect(issuer.forms.count == 1)
    }

    @Test(arguments: [
        ("200 OK", "invalid_grant"), ("400 Bad Request", "invalid_grant"),
        ("500 Internal Server Error", "invalid_grant"),
        ("401 Unauthorized", "invalid_client"), ("302 Found", "invalid_request"),
        ("404 Not Found", "invalid_grant"),
    ])
    func `An OAuth error is decoded even if the HTTP status is wrong`(status: String, code: String)
        async throws
    {
        let issuer = try ScriptedIssuer(token: { connection, _, _ in connection.refuse(code, status) })
        let unit = try fixture.staff(at: issuer.url)
        let failure = try await failure(of: unit, issuer)
        #expect(failure as? SignInFailure == .refused(try #require(OAuthError(code: code, message: nil))))
        #expect(issuer.forms.count == 1)
    }

    @Test(arguments: [
        ("503 Service Unavailable", "<html>"),
        ("503 Service Unavailable", #"{"error":"temporarily_unavailable"}"#),
        ("429 Too Many Requests", #"{"error":"too_many_requests"}"#),
        ("400 Bad Request", #"{"error":"server_error"}"#),
    ])
    func `The authorization code is sent again if the server could not process the token request`(
        status: String, body: String
    )
        async throws
    {
        let issuer = try ScriptedIssuer(token: { connection, _, asked in
            asked == 0 && connection.answer(status, body: body)
        })
        let unit = try fixture.staff(at: issuer.url)
        #expect(try await failure(of: unit, issuer) == nil)
        #expect(issuer.forms.count == 2 && unit.authentication == .authenticated)
    }

    @Test func `An unusable response in the device flow ends the sign-in and reports the reason`()
        async throws
    {
        let issuer = try ScriptedIssuer(token: { connection, _, _ in
            connection.answer(body: #"{"access_token":"a","token_type":"mac"}"#)
        })
        let unit = try fixture.staff(at: issuer.url)
        await #expect(
            throws: SignInFailure.failed(
                Reason(
                    .issuerResponseInvalid,
                    reasons: ["message": Reason(.jsonBadValue, ["path": "token_type"])]
                )
                .replacingAdvice(with: Reason(.signInAgain)))
        ) { try await unit.requireSignIn().signIn(by: .device, loginHint: nil, isNewAccount: false) { _ in } }
        #expect(issuer.forms.count == 1)
    }

    @Test func `The error contains the last response if a device code expires without a usable response`()
        async throws
    {
        let fixture = try IngestFixture(.atOnce)
        let issuer = try ScriptedIssuer(token: { connection, _, _ in connection.answer("502 Bad Gateway") })
        let unit = try fixture.staff(at: issuer.url)
        await #expect {
            try await unit.requireSignIn().signIn(by: .device, loginHint: nil, isNewAccount: false) { _ in }
        } throws: { error in
            SignInFailure.makeReason(for: error).english.contains(
                "the sign-in server (\(issuer.url)) returned 502")
        }
    }

    @Test func `A redirect without the parameter iss is rejected if the metadata announces this parameter`()
        async throws
    {
        let issuer = try ScriptedIssuer()
        let unit = try fixture.staff(at: issuer.url)
        let failure = try await failure(of: unit, issuer, iss: "")
        #expect(failure as? Redirect.Refusal == .otherIssuer)
        #expect(issuer.forms.isEmpty)
    }

    // MARK: ID tokens

    @Test(
        arguments: [
            (#"{"alg":"HS256"}"#, "", IDToken.Problem.algorithm("HS256")), (nil, "", .missing),
            (#"{"alg":"ES256"}"#, #","at_hash":"77QmUPtjPfzWtF2AnpK9RQ""#, .otherAccessToken),
            (#"{"alg":"ES256"}"#, #","nbf":1780000061"#, .notYetValid),
        ] as [(String?, String, IDToken.Problem)])
    func `If the ID token is invalid, a sign-in fails and its tokens are revoked`(
        header: String?, claims: String, problem: IDToken.Problem
    ) async throws {
        let issuer = try ScriptedIssuer()
        issuer.state.withLock { ($0.header, $0.claims) = (header, claims) }
        let unit = try fixture.staff(at: issuer.url)
        await #expect(throws: problem) {
            try await unit.requireSignIn().signIn(by: .device, loginHint: nil, isNewAccount: false) { _ in }
        }
        #expect(unit.authentication == .unauthenticated)
        #expect(try fixture.store.read { try $0.outbox.fetchItems() }.map(\.kind) == ["revocation"])
    }

    /// The claims that differ in the ID token of a refresh response.
    struct Refreshed: Sendable {
        var subject = "kim"
        var issuer: String?
        var audience = "cutied"
        var life = 300
        var claims = ""
        var header: String? = #"{"alg":"ES256"}"#
    }

    /// Each row contains the ID token of a refresh response, and whether the session continues (OpenID
    /// Connect Core §12.2).
    @Test(
        arguments: [
            (Refreshed(), true), (Refreshed(header: nil), true), (Refreshed(claims: #","acr":"1""#), true),
            (Refreshed(subject: "eve"), false), (Refreshed(issuer: "https://other.example"), false),
            (Refreshed(audience: "other"), false), (Refreshed(life: -3600), false),
            (Refreshed(claims: #","azp":"other""#), false), (Refreshed(header: #"{"alg":"none"}"#), false),
            (Refreshed(header: #"{"alg":"HS256"}"#), false),
            (Refreshed(claims: #","at_hash":"77QmUPtjPfzWtF2AnpK9RQ""#), false),
        ])
    func `The session ends and is revoked if the ID token of a refresh belongs to another sign-in`(
        token: Refreshed, goesOn: Bool
    ) async throws {
        let issuer = try ScriptedIssuer()
        let unit = try await fixture.signedIn(at: issuer)
        issuer.state.withLock {
            ($0.subject, $0.statedIssuer, $0.audience) = (token.subject, token.issuer, token.audience)
            ($0.life, $0.claims, $0.header) = (token.life, token.claims, token.header)
        }
        fixture.time.pass(.seconds(4000))
        if goesOn {
            try await unit.list()
            #expect(unit.authentication == .authenticated)
            return
        }
        for _ in 1...2 { await #expect(throws: APIFailure.self) { try await unit.list() } }
        #expect(unit.authentication == .unauthenticated)
        #expect(issuer.refreshes == 1)
        #expect(try fixture.store.read { try $0.outbox.fetchItems() }.map(\.kind) == ["revocation"])
        #expect(try unit.session.record?.reason?.hasSuffix("run `cutied ctl signin`") == true)
    }

    @Test(arguments: [
        (IssuerKeys.Algorithm.ES256, "e", true), (.RS256, "r", true), (.RS256, "unknown", false),
        (.ES256, "r", false), (.RS256, "r", false), (.ES256, "e", false),
    ])
    func `The signature of an ID token is verified with the issuer's keys`(
        algorithm: IssuerKeys.Algorithm, key: String, isGood: Bool
    ) async throws {
        let own = try IssuerKeys()
        let keys = try own.keySet()
        let issuer = try ScriptedIssuer(["GET /keys": { connection, _, _ in connection.answer(body: keys) }])
        let isForged = !isGood && key != "unknown"
        issuer.state.withLock {
            $0.metadata += #","jwks_uri":"ORIGIN/keys""#
            $0.header = #"{"alg":"\#(algorithm.rawValue)","kid":"\#(key)"}"#
            $0.signer = { bytes in (try? own.sign(isForged ? bytes + [0] : bytes, algorithm)) ?? [] }
        }
        let unit = try fixture.staff(at: issuer.url)
        let signIn = {
            try await unit.requireSignIn().signIn(by: .device, loginHint: nil, isNewAccount: false) { _ in }
        }
        if isGood {
            try await signIn()
            #expect(unit.authentication == .authenticated)
        } else {
            await #expect(throws: IDToken.Problem.invalidSignature) { try await signIn() }
            #expect(unit.authentication == .unauthenticated)
        }
    }

    @Test func `If a key ID is unknown, the issuer's keys are fetched again, and a failed fetch is retried`()
        async throws
    {
        let own = try IssuerKeys()
        let keys = Mutex(#"{"keys":[]}"#)
        let issuer = try ScriptedIssuer([
            "GET /keys": { connection, _, asked in
                asked == 1
                    ? connection.answer("503 Service Unavailable")
                    : connection.answer(body: keys.withLock { $0 })
            }
        ])
        issuer.state.withLock {
            $0.metadata += #","jwks_uri":"ORIGIN/keys""#
            $0.header = #"{"alg":"ES256","kid":"e"}"#
            $0.signer = { bytes in (try? own.sign(bytes, .ES256)) ?? [] }
        }
        let unit = try fixture.staff(at: issuer.url)
        let signIn = {
            try await unit.requireSignIn().signIn(by: .device, loginHint: nil, isNewAccount: false) { _ in }
        }
        await #expect(throws: IDToken.Problem.invalidSignature) { try await signIn() }
        let set = try own.keySet()
        keys.withLock { $0 = set }
        try await signIn()
        #expect(unit.authentication == .authenticated)
        #expect(issuer.api.requestCount(of: "GET /keys") == 3)
    }

    @Test func `The userinfo endpoint is found through OpenID Connect discovery`() async throws {
        let issuer = try ScriptedIssuer([
            "GET /.well-known/openid-configuration": { connection, request, _ in
                connection.answer(
                    body: ScriptedIssuer.metadata(request, #","userinfo_endpoint":"ORIGIN/userinfo""#))
            }
        ])
        issuer.state.withLock { $0.metadata = "" }
        let unit = try await fixture.signedIn(at: issuer)
        #expect(try unit.session.claims?.name == "Kim")
    }

    // MARK: Status 403

    @Test(arguments: [
        // Each row contains the body of the 403 responses, the number of these responses, the expected number
        // of refreshes, the expected number of calls, and whether the last call succeeds.
        ("<html>", 1, 1, 3, true), ("", 1, 1, 3, true), ("<html>", 9, 1, 4, false),
        (#"{"error":"not yours"}"#, 1, 0, 3, false),
    ])
    func `A 403 response from a gateway causes at most one refresh of the token`(
        body: String, count: Int, refreshes: Int, calls: Int, taskRegistry: Bool
    ) async throws {
        let issuer = try ScriptedIssuer([
            ScriptedAPI.list: { connection, _, asked in
                (1...count).contains(asked) && connection.answer("403 Forbidden", body: body)
            }
        ])
        let unit = try await fixture.signedIn(at: issuer)
        try await unit.list()
        let first = await Result { try await unit.list() }
        #expect((try? first.get()) != nil || !taskRegistry)
        if !taskRegistry { _ = await Result { try await unit.list() } }
        #expect(issuer.refreshes == refreshes)
        #expect(issuer.api.requestCount(of: ScriptedAPI.list) == calls)
    }

    @Test func `A 403 response from a gateway causes no refresh if the API has never accepted the token`()
        async throws
    {
        let issuer = try ScriptedIssuer([ScriptedAPI.list: ScriptedAPI.refusing("403 Forbidden")])
        let unit = try await fixture.signedIn(at: issuer)
        for _ in 0..<3 { await #expect(throws: APIFailure.self) { try await unit.list() } }
        #expect(issuer.refreshes == 0)
    }

    // MARK: Error messages

    private func sentence(_ issuer: ScriptedIssuer, named: String? = nil) async throws -> String {
        let fixture = try IngestFixture(.atOnce)
        let unit = try fixture.staff(at: issuer.url) { $0.signIn.issuer = named ?? issuer.url }
        do {
            try await unit.requireSignIn().signIn(by: .device, loginHint: nil, isNewAccount: false) { _ in }
        } catch { return SignInFailure.makeReason(for: error).english }
        return "none"
    }

    @Test(arguments: [
        (ScriptedIssuer.metadata, "302 Found"), (ScriptedIssuer.device, "302 Found"),
        (ScriptedIssuer.token, "302 Found"),
        (ScriptedIssuer.metadata, "500 Internal Server Error"),
        (ScriptedIssuer.device, "500 Internal Server Error"),
        (ScriptedIssuer.metadata, "200 OK"), (ScriptedIssuer.device, "200 OK"),
        (ScriptedIssuer.token, "200 OK"),
    ])
    func `The message for an error from the issuer names the issuer and not the API`(
        call: String, status: String
    )
        async throws
    {
        let issuer = try ScriptedIssuer([
            call: { connection, _, _ in
                connection.answer(status, ["Location: https://elsewhere.example/"], body: #"{"x":1}"#)
            }
        ])
        let sentence = try await sentence(issuer)
        #expect(!sentence.contains("api_url") && !sentence.contains("the API"), "\(sentence)")
        #expect(sentence.contains("sign-in server") || sentence.contains("issuer"), "\(sentence)")
    }

    @Test func `The error contains both issuer URLs if they differ only in a trailing slash`()
        async throws
    {
        let issuer = try ScriptedIssuer()
        let sentence = try await sentence(issuer, named: issuer.url + "/")
        #expect(
            sentence
                == "the server at \(issuer.url)/ identifies itself as \(issuer.url); if you trust this server, set `issuer` to the reported address"
        )
    }
}

extension Result where Failure == any Error {
    @MainActor fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
