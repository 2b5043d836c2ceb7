import Config
import ControlAPI
import CutieAPI
import Domain
import Foundation
import OAuth
import Reasons
import Store
import Synchronization
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Identity

/// Tests of the tokens of a session while the user is signed in.
@MainActor
struct SignInSessionTests {
    private let fixture: IngestFixture

    init() throws { fixture = try IngestFixture() }

    @Test func `An access token is used until shortly before its expiry, and is then refreshed`() async throws
    {
        let issuer = try ScriptedIssuer()
        let unit = try await fixture.signedIn(at: issuer)
        try await unit.list()
        fixture.time.pass(.seconds(3500))
        try await unit.list()
        #expect(issuer.refreshes == 0)
        fixture.time.pass(.seconds(50))
        try await unit.list()
        #expect(issuer.refreshes == 1)
        #expect(issuer.forms.last?["refresh_token"] == "refresh-secret-1")
        #expect(issuer.api.requestCount(of: ScriptedAPI.list) == 3, "no call was refused")
    }

    @Test func `Ten concurrent requests with an expired token cause one refresh`() async throws {
        let issuer = try ScriptedIssuer()
        let unit = try await fixture.signedIn(at: issuer)
        fixture.time.pass(.seconds(4000))
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<10 { group.addTask { try await unit.list() } }
        }
        #expect(issuer.refreshes == 1)
    }

    @Test func `A request that the API refuses is retried once, with a refreshed token`() async throws {
        let issuer = try ScriptedIssuer()
        let unit = try await fixture.signedIn(at: issuer)
        issuer.state.withLock { $0.taken = ["access-secret-2"] }
        try await unit.list()
        #expect(issuer.refreshes == 1)
        #expect(issuer.api.requestCount(of: ScriptedAPI.list) == 2)
        #expect(unit.authentication == .authenticated)
    }

    @Test
    func `A refusal of a refreshed token is reported only once until the API accepts the account again`()
        async throws
    {
        let issuer = try ScriptedIssuer()
        let unit = try await fixture.signedIn(at: issuer)
        issuer.state.withLock { $0.taken = [] }
        for _ in 0..<3 {
            await #expect(throws: APIFailure.self) { try await unit.list() }
        }
        #expect(unit.authentication == .unauthenticated)
        #expect(try unit.session.needsReport)
        #expect(try fixture.logged(.accountUnauthenticated).count == 1, "the refusal is logged once")
        issuer.state.withLock { $0.taken = nil }
        try await unit.list()
        #expect(unit.authentication == .authenticated)
        #expect(try !unit.session.needsReport)
    }

    @Test(arguments: [
        ("400 Bad Request", #"{"error":"invalid_client"}"#),
        ("400 Bad Request", #"{"error":"invalid_request"}"#),
        ("500 Internal Server Error", #"{"error":"invalid_grant"}"#), ("404 Not Found", ""),
        ("503 Service Unavailable", "<html>"), ("401 Unauthorized", "<html>Log in</html>"),
        ("200 OK", "<html>Log in</html>"), ("429 Too Many Requests", #"{"error":"invalid_grant"}"#),
    ])
    func `Only the OAuth error invalid_grant ends a session`(status: String, body: String) async throws {
        let issuer = try ScriptedIssuer(token: { connection, form, asked in
            form["grant_type"] == "refresh_token" && asked == 1 && connection.answer(status, body: body)
        })
        let unit = try await fixture.signedIn(at: issuer)
        fixture.time.pass(.seconds(4000))
        await #expect {
            try await unit.list()
        } throws: { error in
            if case .retry? = error as? APIFailure { true } else { false }
        }
        #expect(unit.authentication == .authenticated)
        try await unit.list()
        #expect(issuer.forms.last?["refresh_token"] == "refresh-secret-1", "the same one is tried again")
    }

    @Test func `The error invalid_grant ends the session permanently and is reported once`()
        async throws
    {
        let issuer = try ScriptedIssuer(token: { connection, form, _ in
            form["grant_type"] == "refresh_token" && connection.refuse("invalid_grant")
        })
        let unit = try await fixture.signedIn(at: issuer)
        fixture.time.pass(.seconds(4000))
        for _ in 0..<3 {
            await #expect {
                try await unit.list()
            } throws: { error in
                if case .unauthorized? = error as? APIFailure { true } else { false }
            }
        }
        #expect(issuer.refreshes == 1, "the issuer is not asked again")
        #expect(unit.authentication == .unauthenticated)
        #expect(try unit.session.needsReport && unit.session.canWrite)
        #expect(try unit.session.claims?.name == "Kim", "whose it was is still known")
        try unit.session.markSessionEndReported()
        let again = try fixture.staff(at: issuer.url)
        #expect(again.authentication == .unauthenticated)
        #expect(try !again.session.needsReport, "a restart does not report the end of the session again")
    }

    @Test func `A new refresh token is stored before the new access token is used`() async throws {
        let machine = try Machine(secrets: .file, directory: fixture.directory.path, environment: [:])
        let unit = Mutex<[String?]>([])
        let issuer = try ScriptedIssuer([
            ScriptedAPI.list: { [directory = fixture.directory.path] _, request, _ in
                let kept = (try? String(contentsOfFile: directory + "/secrets", encoding: .utf8)) ?? ""
                let newest = ["refresh-secret-1", "refresh-secret-2"].last { secret in
                    kept.contains(Data(secret.utf8).base64EncodedString()) || kept.contains(secret)
                }
                unit.withLock { $0.append(newest) }
                return false
            }
        ])
        let account = try await fixture.signedIn(at: issuer, on: machine)
        try await account.list()
        fixture.time.pass(.seconds(4000))
        try await account.list()
        #expect(unit.withLock { $0 } == ["refresh-secret-1", "refresh-secret-2"])
    }

    @Test func `A clock that is wrong by an hour causes at most one refresh and does not affect the sign-in`()
        async throws
    {
        for offset in [3600, -3600] {
            let (fixture, issuer) = (try IngestFixture(), try ScriptedIssuer())
            issuer.state.withLock { $0.serverOffset = offset }
            let unit = try await fixture.signedIn(at: issuer)
            try await unit.list()
            #expect(issuer.refreshes == 0, "whose life is short is what the server says, and not when")
            fixture.time.jump(.seconds(offset))
            for _ in 0..<3 { try await unit.list() }
            #expect(issuer.refreshes <= 1)
            #expect(unit.authentication == .authenticated)
        }
    }

    @Test func `A session survives a restart of the daemon`() async throws {
        let issuer = try ScriptedIssuer()
        _ = try await fixture.signedIn(at: issuer)
        let again = try fixture.staff(at: issuer.url)
        #expect(again.authentication == .authenticated)
        try await again.list()
        #expect(issuer.forms.count == 1)
        #expect(
            try again.session.claims?.email == "kim@example.com", "the address is known without a request")
        #expect(issuer.api.requestCount(of: ScriptedIssuer.metadata) == 1)
    }

    @Test func `Stored tokens are not used after the configured issuer has changed`() async throws {
        let issuer = try ScriptedIssuer()
        _ = try await fixture.signedIn(at: issuer)
        let again = try fixture.staff(at: issuer.url) { $0.signIn.issuer = "https://other.example" }
        #expect(again.authentication == .unauthenticated)
        await #expect(throws: APIFailure.self) { try await again.list() }
        #expect(issuer.api.requestCount(of: ScriptedAPI.list) == 0)
    }

    @Test func `The error for a request that the API refused names the missing scope`() async throws {
        let issuer = try ScriptedIssuer([
            ScriptedAPI.list: { connection, _, _ in
                connection.answer(
                    "403 Forbidden",
                    [#"WWW-Authenticate: Bearer error="insufficient_scope", scope="conversations:read""#],
                    body: #"{"error":"no"}"#)
            }
        ])
        let unit = try await fixture.signedIn(at: issuer)
        await #expect {
            try await unit.list()
        } throws: { error in
            guard case .insufficientScope(_, let scope)? = error as? APIFailure else { return false }
            return scope == Scope(["conversations:read"])
                && (error as? APIFailure)?.sentence.contains("conversations:read") == true
        }
    }

    @Test func `Cached metadata is used while the issuer is unreachable, and is fetched again after a 404`()
        async throws
    {
        let gone = Mutex(false)
        let issuer = try ScriptedIssuer(
            [
                ScriptedIssuer.metadata: { connection, _, _ in
                    gone.withLock { $0 } && connection.answer("503 Service Unavailable")
                }
            ],
            token: { connection, form, _ in
                form["refresh_token"] == "refresh-secret-2" && connection.answer("404 Not Found")
            })
        let unit = try await fixture.signedIn(at: issuer)
        gone.withLock { $0 = true }
        fixture.time.pass(.seconds(2 * 86_400))
        try await unit.list()
        #expect(issuer.refreshes == 1)
        gone.withLock { $0 = false }
        let asked = issuer.api.requestCount(of: ScriptedIssuer.metadata)
        fixture.time.pass(.seconds(4000))
        await #expect(throws: APIFailure.self) { try await unit.list() }
        await #expect(throws: APIFailure.self) { try await unit.list() }
        #expect(issuer.api.requestCount(of: ScriptedIssuer.metadata) > asked)
        #expect(unit.authentication == .authenticated)
    }

    @Test(arguments: [
        ("404 Not Found", "", true), ("503 Service Unavailable", "", false),
        ("200 OK", "<html>Log in</html>", false),
        ("200 OK", #"{"issuer":"https://other.example","token_endpoint":"https://other.example/t"}"#, false),
    ])
    func `Built-in metadata is used only if the issuer's response states that no metadata exists`(
        status: String, body: String, isBuiltIn: Bool
    ) async throws {
        let issuer = try ScriptedIssuer([
            "GET /.well-known/": { connection, _, _ in connection.answer(status, body: body) }
        ])
        let unit = try fixture.staff(at: issuer.url)
        let metadata = try? await unit.session.issuer.directory.fetchMetadata()
        #expect((metadata?.tokenEndpoint.description == issuer.url + "/v1/auth/oauth/token") == isBuiltIn)
        let named = try fixture.staff(at: issuer.url) { $0.signIn.issuer = issuer.url }
        #expect(
            (try? await named.session.issuer.directory.fetchMetadata()) == nil, "not where one is configured")
    }

    @Test(arguments: [("404 Not Found", "404 at "), ("403 Forbidden", "returned 403")])
    func `The error for missing metadata names the issuer and the requested addresses`(
        status: String, part: String
    ) async throws {
        let issuer = try ScriptedIssuer([
            "GET /.well-known/": { connection, _, _ in connection.answer(status) }
        ])
        let unit = try fixture.staff(at: issuer.url) { $0.signIn.issuer = issuer.url }
        let error = await #expect(throws: APIFailure.self) {
            try await unit.session.issuer.directory.fetchMetadata()
        }
        let sentence = try #require(error).reason.english
        #expect(sentence.contains(part), "\(sentence)")
        #expect(
            sentence.contains(issuer.url + "/.well-known/oauth-authorization-server"), "\(sentence)")
        #expect(
            sentence.contains("/.well-known/openid-configuration") == status.hasPrefix("404"), "\(sentence)")
    }
}
