import AccessAPI
import Config
import ControlAPI
import CutieAPI
import Domain
import HTTP
import Identity
import OAuth
import Platform
import Reasons
import Synchronization
import TestSupport
import Testing
import VarlinkSocket

@testable import Access
@testable import AccessServer
@testable import Accounts
@testable import EventLog
@testable import Notifications
@testable @_spi(Access) import Store

/// Tests that a grant belongs to one user and not to the next user of the same account, and that an
/// unreachable service does not count as a refusal.
@MainActor
struct ServicePersonTests {
    private let fixture: ServiceFixture
    private var service: ScriptedService { fixture.service }
    private var provider: AccessProvider { fixture.provider }

    /// Creates a fixture in which Kim has allowed an app to use the library's service.
    init() async throws {
        fixture = try await ServiceFixture()
        #expect(try await fixture.authorize().count == 1)
    }

    private func signOut() async throws {
        let unit = try #require(fixture.unit("me"))
        _ = try await unit.requireSignIn().signOut(within: .zero)
    }

    /// Signs the user Lee in to the account that Kim used before.
    private func signInAsLee() async throws {
        fixture.issuer.state.withLock { $0.subject = "lee" }
        try await fixture.signIn(to: "me", at: fixture.issuer)
    }

    // MARK: - Signing out

    @Test func `Signing out ends the user's grants, and the event log records the revocation`() async throws {
        try await signOut()
        try await fixture.runUntilGrants(are: ["revoked"])
        #expect(try fixture.tokens.isEmpty)
        #expect(try fixture.fixture.logged(.accessRevoked).count == 1)
        // Kim must be asked again, because signing out ended the grant.
        try await fixture.signIn(to: "me", at: fixture.issuer)
        #expect(try await fixture.authorize().count == 1)
    }

    @Test func `If a different user signs in, the previous user's grants are revoked and not inherited`()
        async throws
    {
        try await signInAsLee()
        try await fixture.runUntilGrants(are: ["revoked"])
        try await fixture.waitUntilIdle()
        #expect(service.revoked.contains("given-secret-2"))
        let given = try await fixture.authorize()
        #expect(claims(of: service.forms.last?["assertion"])["sub"] == "lee")
        #expect(given.first?.authorization.accessToken == "given-secret-4")
    }

    @Test func `After a different user has signed in, the tokens of the previous user are not returned`()
        async throws
    {
        try await signInAsLee()
        // The background job has not run, so the grant and the tokens still exist.
        #expect(try provider.listGrants().map(\.state) == [.granted])
        let given = try await fixture.authorize()
        #expect(given.map(\.authorization.accessToken) == ["given-secret-4"], "Lee was asked")
        #expect(try await fixture.authorizeAgain()?.authorization.accessToken == "given-secret-4")
        try await fixture.runUntilGrants(are: ["granted", "revoked"])
        try await fixture.waitUntilIdle()
        #expect(
            try await fixture.authorizeAgain()?.authorization.accessToken == "given-secret-4", "Lee's stays")
        #expect(service.revoked.contains("given-secret-2") && !service.revoked.contains("given-secret-4"))
    }

    @Test func `The grants are preserved for the next sign-in if the issuer ends the session`()
        async throws
    {
        let session = try #require(fixture.unit("me")?.signIn?.session)
        session.recordRefusal(.text("the issuer is confused"))
        try await fixture.running(until: "the end of the session is noticed") { session.hasEnded }
        #expect(try provider.listGrants().map(\.state) == [.granted])
    }

    @Test func `A service that does not respond does not delay the expiry of other grants`()
        async throws
    {
        try await fixture.authorize(for: fixture.app(2))
        #expect(try provider.revokeGrants(of: fixture.app(2).description, isDryRun: false) != nil)
        let gate = Gate()
        defer { gate.open() }
        service.state.withLock { $0.revocationGate = gate }
        let job = Task { try await provider.run() }
        defer { job.cancel() }
        try await eventually("the service gets the revocation") {
            service.requestCount(of: "POST /oauth2/revoke") >= 1
        }
        fixture.fixture.time.pass(.seconds(31 * 86_400))
        try await eventually("the other grant is expired") {
            try provider.listGrants().map(\.state) == [.revoked, .expired]
        }
        #expect(try !fixture.tokens.contains { $0.kind == .app })
    }

    // MARK: - Several accounts

    private func workAccount() async throws -> ScriptedIssuer {
        let issuer = try ServiceFixture.issuer()
        issuer.state.withLock { $0.subject = "kim-at-work" }
        try await fixture.signIn(to: "work", at: issuer)
        _ = try await provider.discoverServices(at: service.url, account: nil)
        return issuer
    }

    private func person(_ given: [AuthorizedService]) -> [String?] {
        service.forms.suffix(given.count).map { claims(of: $0["assertion"])["sub"] }
    }

    @Test func `If a service can be used with two accounts, the user chooses between the accounts`()
        async throws
    {
        let issuer = try await workAccount()
        let given = try await fixture.authorize(for: fixture.app(2), services: [service.url + " work"])
        #expect(given.count == 1 && person(given) == ["kim-at-work"])
        #expect(issuer.forms.contains { $0["audience"] != nil }, "the other issuer vouched for her")
        let granted = try #require(try provider.listGrants().first)
        #expect(granted.account == "work")
    }

    @Test func `An approval without a choice uses one account, but the user may choose several accounts`()
        async throws
    {
        let issuer = try await workAccount()
        let one = try await fixture.authorize(for: fixture.app(2))
        #expect(one.count == 1 && person(one) == ["kim"], "what was used before comes first")
        let both = ["me", "work"].map { "\(service.url) \($0)" }
        #expect(try await fixture.authorize(for: fixture.app(3), services: both).count == 2)
        withExtendedLifetime(issuer) {}
    }

    // MARK: - Unreachable services

    @Test func `An unreachable service does not count as a refusal, so the grant is preserved`() async throws
    {
        service.state.withLock { $0.isTokenEndpointAway = true }
        #expect(try await fixture.authorize(for: fixture.app(2)).isEmpty)
        #expect(try provider.listGrants().map(\.state) == [.granted, .granted])
        #expect(
            try await fixture.authorizeAgain(for: fixture.app(2)) == nil, "nobody is asked again meanwhile")
        service.state.withLock { $0.isTokenEndpointAway = false }
        #expect(try await fixture.authorizeAgain(for: fixture.app(2)) != nil)
    }

    @Test func `The app gets an empty list instead of an error if the secrets cannot be read`() async throws {
        let locked = AccessProvider(
            ingest: fixture.fixture.ingest, accounts: fixture.accounts, questions: fixture.questions,
            secrets: try SecretStore(.file, directory: "/proc/none", environment: [:]),
            httpClient: HTTPClient(), runtime: fixture.fixture.runtime, logger: .silent)
        let reply = try await locked.authorizeProtocols(fixture.call(), for: fixture.app())
        #expect(reply.services.isEmpty)
        #expect(try provider.listGrants().map(\.state) == [.granted])
        #expect(try await fixture.authorizeAgain()?.authorization.accessToken == "given-secret-2")
    }
}
