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

/// Tests of app tokens for services, and of their expiry.
@MainActor
struct ServiceTokenTests {
    private let fixture: ServiceFixture
    private var service: ScriptedService { fixture.service }
    private var provider: AccessProvider { fixture.provider }

    init() async throws { fixture = try await ServiceFixture() }

    /// Adds a second service that shares the token endpoint of the library's service. Returns its URL.
    private func discoverArchive() async throws -> String {
        let archive = "\(service.url)/archive"
        let document = """
            {"engineName":"Archive","engineLink":"\(archive)","apis":{"org.ietf.oauth2":{"apiLink":"\(service.url)/oauth2"},\
            "org.example.files":{"apiLink":"files","settings":{"scope":"archive:read"}}}}
            """
        service.state.withLock { $0.document = document }
        _ = try await provider.discoverServices(at: service.url + "/rsd.json", account: nil)
        return archive
    }

    // MARK: - Replaced tokens

    @Test func `A token is revoked when it is replaced by a token with more scopes`() async throws {
        try await fixture.authorize()
        let wider = try await fixture.authorize(ServiceFixture.other)
        #expect(wider.first?.authorization.accessToken == "given-secret-3")
        try await fixture.waitUntilIdle()
        #expect(service.revoked == ["refresh-given-secret-2", "given-secret-2"])
        #expect(
            try await fixture.authorizeAgain(ServiceFixture.other)?.authorization.accessToken
                == "given-secret-3")
        #expect(try provider.revokeGrants(of: fixture.app().description, isDryRun: false) != nil)
        try await fixture.waitUntilIdle()
        #expect(service.revoked.suffix(2) == ["refresh-given-secret-3", "given-secret-3"])
    }

    @Test func `A token is not revoked if the service issues the same token again as the replacement`()
        async throws
    {
        service.state.withLock { $0.sameToken = "one-and-only" }
        try await fixture.authorize()
        let wider = try await fixture.authorize(ServiceFixture.other)
        #expect(wider.first?.authorization.accessToken == "one-and-only")
        #expect(try fixture.revoking.isEmpty && fixture.tokens.count == 4)
    }

    @Test func `When the service token expires, app tokens stay valid and can still be revoked`()
        async throws
    {
        service.state.withLock { $0.hasRefreshTokens = false }
        try await fixture.authorize()
        fixture.fixture.time.pass(.seconds(1800))
        try await fixture.authorize(for: fixture.app(2))
        fixture.fixture.time.pass(.seconds(1790))
        // The tokens of the daemon and of the first app have expired, but the token of the second app has not
        // expired.
        #expect(try await fixture.authorizeAgain()?.authorization.accessToken == "given-secret-5")
        try await fixture.waitUntilIdle()
        #expect(service.revoked == ["given-secret-2"])
        #expect(
            try await fixture.authorizeAgain(for: fixture.app(2))?.authorization.accessToken
                == "given-secret-3")
        #expect(try provider.revokeGrants(of: fixture.app(2).description, isDryRun: false) != nil)
        try await fixture.waitUntilIdle()
        #expect(service.revoked == ["given-secret-2", "given-secret-3"])
    }

    @Test
    func `All dependent app tokens are revoked if a service no longer accepts the service token`()
        async throws
    {
        try await fixture.authorize()
        service.state.withLock { $0.serviceToken = nil }
        try await fixture.authorize(ServiceFixture.other)
        try await fixture.waitUntilIdle()
        #expect(Set(service.revoked).isSuperset(of: ["given-secret-1", "given-secret-2"]))
        #expect(!service.revoked.contains { $0.hasSuffix("-3") || $0.hasSuffix("-4") }, "what is new stays")
        #expect(try fixture.tokens.count == 4)
    }

    // MARK: - The end of a grant

    @Test
    func `A token expires with the first of its grants, and the next token has only the remaining scopes`()
        async throws
    {
        try await fixture.authorize()
        fixture.fixture.time.pass(.seconds(10))
        try await fixture.authorize(ServiceFixture.other)
        #expect(service.forms.last?["scope"]?.replacing("+", with: " ") == "files:read other:use")
        fixture.fixture.time.pass(.seconds(30 * 86_400 - 5))
        try await fixture.runUntilGrants(are: ["granted", "expired"])
        #expect(try !fixture.tokens.map(\.kind).contains(.app), "the token was also valid for files")
        let narrower = try #require(try await fixture.authorizeAgain(ServiceFixture.other))
        #expect(narrower.authorization.scope == "other:use")
    }

    @Test func `A token that two grants cover stays valid after one of the grants has expired`() async throws
    {
        try await fixture.authorize()
        let grant = try #require(try provider.grantRegister.fetchAll().first)
        let id = try provider.grantRegister.addRequest(from: grant.app, for: ServiceFixture.files)
        try provider.grantRegister.recordGrant(
            ofRequest: id, services: grant.services, lifetime: .seconds(60))
        fixture.fixture.time.pass(.seconds(61))
        try await fixture.runUntilGrants(are: ["expired", "granted"])
        #expect(try await fixture.authorizeAgain()?.authorization.accessToken == "given-secret-2")
        #expect(service.revoked.isEmpty)
    }

    // MARK: - Services that share a token endpoint

    @Test func `An app gets separate tokens for two services that share a token endpoint`() async throws {
        let archive = try await discoverArchive()
        let given = try await fixture.authorize(services: [service.url, archive])
        #expect(Set(given.map(\.engineLink)) == [service.url, archive])
        #expect(Set(given.map(\.authorization.accessToken)).count == 2)
        let assertions = service.forms.compactMap { claims(of: $0["assertion"])["resource"] }
        #expect(Set(assertions) == [service.url, archive])
        #expect(service.introductions == 1, "they know the desktop by one token")
    }

    @Test
    func `Revoking access to one service preserves access to another service with the same token endpoint`()
        async throws
    {
        let archive = try await discoverArchive()
        let given = try await fixture.authorize(services: [service.url, archive])
        let kept = try #require(given.first { $0.engineLink == archive })
        let call = AccessAPI.RevokeToken(clientId: "notes", engineLink: service.url)
        #expect(try await provider.revokeToken(call, for: fixture.app()).revoked)
        try await fixture.waitUntilIdle()
        #expect(!service.revoked.contains(kept.authorization.accessToken))
        #expect(
            try await fixture.authorizeAgain()?.authorization.accessToken == kept.authorization.accessToken)
    }

    @Test
    func `The service token is revoked when access to the last service of its token endpoint is revoked`()
        async throws
    {
        let archive = try await discoverArchive()
        try await fixture.authorize(services: [service.url, archive])
        #expect(
            try provider.forgetService(named: service.url, isDryRun: false, account: nil).map(\.english) == [
                "the tokens of Notes at Library"
            ]
        )
        try await fixture.waitUntilIdle()
        #expect(try !service.revoked.isEmpty && fixture.tokens.count { $0.kind == .service } == 1)
        let lost = try provider.forgetService(named: archive, isDryRun: false, account: nil)
        #expect(
            lost.map(\.english) == ["this computer's token at Archive", "the tokens of Notes at Archive"])
        try await fixture.waitUntilIdle()
        #expect(try service.revoked.contains("given-secret-1") && fixture.tokens.isEmpty)
    }

    @Test func `A stored token that belongs to no service is deleted, and the app gets a new token`()
        async throws
    {
        try await fixture.authorize()
        let row = try #require(try fixture.tokens.first { $0.kind == .app })
        let former = TokenRecord(
            id: "former", account: row.account, subject: "notes executable:/usr/bin/notes:1:1",
            target: row.target, kind: .app, encryptedToken: row.encryptedToken, expiresAt: row.expiresAt,
            scope: row.scope,
            parent: row.parent, createdAt: row.createdAt)
        try fixture.fixture.store.write {
            try $0.tokens.markForRevocation(row.id, at: fixture.fixture.time.now)
            try $0.tokens.save(former)
        }
        #expect(try await fixture.authorizeAgain()?.authorization.accessToken == "given-secret-3")
        try await fixture.waitUntilIdle()
        #expect(try !fixture.tokens.contains { $0.id == "former" })
    }
}
