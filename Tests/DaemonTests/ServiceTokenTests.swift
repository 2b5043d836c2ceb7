import AccessAPI
import Config
import ControlAPI
import CutieAPI
import HTTP
import Identity
import OAuth
import Platform
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

/// The tokens of apps at services, and their expiry.
@MainActor
struct ServiceTokenTests {
    private let desk: ServiceDesk
    private var service: ScriptedService { desk.service }
    private var provider: AccessProvider { desk.provider }

    init() async throws { desk = try await ServiceDesk() }

    /// Adds another service that uses the token endpoint of the library.
    private func discoverArchive() async throws -> String {
        let archive = "\(service.url)/archive"
        let document = """
            {"engineName":"Archive","engineLink":"\(archive)","apis":{"org.ietf.oauth2":{"apiLink":"\(service.url)/oauth2"},\
            "org.example.files":{"apiLink":"files","settings":{"scope":"archive:read"}}}}
            """
        service.state.withLock { $0.document = document }
        _ = try await provider.discover(service.url + "/rsd.json", account: nil)
        return archive
    }

    // MARK: - Replaced tokens

    @Test func `A token that a wider one replaces is revoked, and only the wider one remains`()
        async throws
    {
        try await desk.authorize()
        let wider = try await desk.authorize(ServiceDesk.other)
        #expect(wider.first?.authorization.accessToken == "given-secret-3")
        try await desk.waitUntilIdle()
        #expect(service.revoked == ["refresh-given-secret-2", "given-secret-2"])
        #expect(try await desk.again(ServiceDesk.other)?.authorization.accessToken == "given-secret-3")
        #expect(try provider.revokeGrant(desk.app().description, isDry: false) != nil)
        try await desk.waitUntilIdle()
        #expect(service.revoked.suffix(2) == ["refresh-given-secret-3", "given-secret-3"])
    }

    @Test func `A service that issues the same token again gets no revocation`() async throws {
        service.state.withLock { $0.sameToken = "one-and-only" }
        try await desk.authorize()
        let wider = try await desk.authorize(ServiceDesk.other)
        #expect(wider.first?.authorization.accessToken == "one-and-only")
        #expect(try desk.revoking.isEmpty && desk.tokens.count == 4)
    }

    @Test func `When the desktop's token expires, tokens of apps stay and can still be revoked`()
        async throws
    {
        service.state.withLock { $0.hasRefreshTokens = false }
        try await desk.authorize()
        desk.desk.time.pass(.seconds(1800))
        try await desk.authorize(for: desk.app(2))
        desk.desk.time.pass(.seconds(1790))
        // The desktop's token and that of the first app have expired; that of the second app has not.
        #expect(try await desk.again()?.authorization.accessToken == "given-secret-5")
        try await desk.waitUntilIdle()
        #expect(service.revoked == ["given-secret-2"])
        #expect(try await desk.again(for: desk.app(2))?.authorization.accessToken == "given-secret-3")
        #expect(try provider.revokeGrant(desk.app(2).description, isDry: false) != nil)
        try await desk.waitUntilIdle()
        #expect(service.revoked == ["given-secret-2", "given-secret-3"])
    }

    @Test func `A service that forgot the desktop gets revocations for all dependent tokens`() async throws {
        try await desk.authorize()
        service.state.withLock { $0.serviceToken = nil }
        try await desk.authorize(ServiceDesk.other)
        try await desk.waitUntilIdle()
        #expect(Set(service.revoked).isSuperset(of: ["given-secret-1", "given-secret-2"]))
        #expect(!service.revoked.contains { $0.hasSuffix("-3") || $0.hasSuffix("-4") }, "what is new stays")
        #expect(try desk.tokens.count == 4)
    }

    // MARK: - The end of a grant

    @Test func `A token ends with the first of its grants, and the next token is narrower`()
        async throws
    {
        try await desk.authorize()
        desk.desk.time.pass(.seconds(10))
        try await desk.authorize(ServiceDesk.other)
        #expect(service.forms.last?["scope"]?.replacing("+", with: " ") == "files:read other:use")
        desk.desk.time.pass(.seconds(30 * 86_400 - 5))
        try await desk.settle(until: ["granted", "expired"])
        #expect(try !desk.tokens.map(\.kind).contains(.app), "it was good for files, too")
        let narrower = try #require(try await desk.again(ServiceDesk.other))
        #expect(narrower.authorization.scope == "other:use")
    }

    @Test func `A token covered by two grants survives the end of one`() async throws {
        try await desk.authorize()
        let grant = try #require(try provider.grantRegister.all().first)
        let id = try provider.grantRegister.ask(grant.app, ServiceDesk.files)
        try provider.grantRegister.grant(id, grant.services, life: .seconds(60))
        desk.desk.time.pass(.seconds(61))
        try await desk.settle(until: ["expired", "granted"])
        #expect(try await desk.again()?.authorization.accessToken == "given-secret-2")
        #expect(service.revoked.isEmpty)
    }

    // MARK: - Services that share a token endpoint

    @Test func `An app gets no token that was issued for another service of the same endpoint`() async throws
    {
        let archive = try await discoverArchive()
        let given = try await desk.authorize(services: [service.url, archive])
        #expect(Set(given.map(\.engineLink)) == [service.url, archive])
        #expect(Set(given.map(\.authorization.accessToken)).count == 2)
        let assertions = service.forms.compactMap { claims(of: $0["assertion"])["resource"] }
        #expect(Set(assertions) == [service.url, archive])
        #expect(service.introductions == 1, "they know the desktop by one token")
    }

    @Test func `Revoking access to one service keeps the other service of the same endpoint`() async throws {
        let archive = try await discoverArchive()
        let given = try await desk.authorize(services: [service.url, archive])
        let kept = try #require(given.first { $0.engineLink == archive })
        let call = AccessAPI.RevokeToken(clientId: "notes", engineLink: service.url)
        #expect(try await provider.revokeToken(call, for: desk.app()).revoked)
        try await desk.waitUntilIdle()
        #expect(!service.revoked.contains(kept.authorization.accessToken))
        #expect(try await desk.again()?.authorization.accessToken == kept.authorization.accessToken)
    }

    @Test func `The desktop's token is revoked with the last service of its endpoint`() async throws {
        let archive = try await discoverArchive()
        try await desk.authorize(services: [service.url, archive])
        #expect(
            try provider.forget(service.url, isDry: false, account: nil) == ["the tokens of Notes at Library"]
        )
        try await desk.waitUntilIdle()
        #expect(try !service.revoked.isEmpty && desk.tokens.count { $0.kind == .service } == 1)
        let lost = try provider.forget(archive, isDry: false, account: nil)
        #expect(lost == ["this computer's token at Archive", "the tokens of Notes at Archive"])
        try await desk.waitUntilIdle()
        #expect(try service.revoked.contains("given-secret-1") && desk.tokens.isEmpty)
    }

    @Test func `A token row without a service is revoked, and the app gets a new token`()
        async throws
    {
        try await desk.authorize()
        let row = try #require(try desk.tokens.first { $0.kind == .app })
        let former = TokenRecord(
            id: "former", account: row.account, subject: "notes executable:/usr/bin/notes:1:1",
            target: row.target, kind: .app, encryptedToken: row.encryptedToken, expiresAt: row.expiresAt,
            scope: row.scope,
            parent: row.parent, createdAt: row.createdAt)
        try desk.desk.store.write {
            try $0.tokens.setRevoking(row.id, at: desk.desk.time.now)
            try $0.tokens.save(former)
        }
        #expect(try await desk.again()?.authorization.accessToken == "given-secret-3")
        try await desk.waitUntilIdle()
        #expect(try !desk.tokens.contains { $0.id == "former" })
    }
}
