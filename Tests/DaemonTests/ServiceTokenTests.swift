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
@testable import Log
@testable import Screen
@testable @_spi(Access) import Store

/// Which token an app has at which service, and that none outlives what it was made for.
@MainActor
struct ServiceTokenTests {
    private let desk: Desk
    private let accounts: Accounts
    private let questions: Questions
    private let provider: AccessProvider
    private let service: ScriptedService
    private let issuer: ScriptedIssuer

    /// Kim is signed in, and knows the library.
    init() async throws {
        desk = try Desk(.brief)
        accounts = Accounts(store: desk.store)
        questions = try desk.questions(desk.announcer())
        provider = try desk.access(accounts, questions)
        service = try ScriptedService()
        issuer = try ScriptedIssuer(token: { connection, form, _ in
            guard form["grant_type"]?.hasSuffix(":token-exchange") == true else { return false }
            return connection.answer(
                body: #"{"access_token":"a.person-secret.s","issued_token_type":"#
                    + #""urn:ietf:params:oauth:token-type:jwt","token_type":"N_A","expires_in":300}"#)
        })
        var identity = AccountConfiguration(name: "me", kind: .identity)
        identity.apiURL = try APIAddress(issuer.url)
        try desk.keeper(of: accounts).apply([identity])
        let unit = try #require(accounts.units.first)
        try await unit.requireSignIn().run(by: .device, hint: nil, isNew: false) { _ in }
        _ = try await provider.discover(service.url, account: nil)
    }

    private static let files = ["org.example.files"]
    private static let other = ["org.example.other"]

    private func app(_ inode: UInt64 = 1) -> AppIdentity {
        AppIdentity(
            ProcessFacts(
                executable: .init(path: "/usr/bin/notes", device: 1, inode: inode), sharesMounts: true),
            run: "")
    }

    private func call(_ protocols: [String], token: String? = nil) -> AuthorizeProtocols {
        AuthorizeProtocols(
            clientId: "notes", appId: "org.example.Notes", appName: "Notes", protocols: protocols,
            token: token)
    }

    /// Has the app ask, and the person allow it.
    @discardableResult
    private func authorize(
        _ protocols: [String] = files, for app: AppIdentity? = nil, services: [String]? = nil
    ) async throws -> [AuthorizedService] {
        let (call, app) = (call(protocols), app ?? self.app())
        async let reply = provider.authorizeProtocols(call, for: app)
        try await eventually("the question") { try questions.open().count == 1 }
        _ = try await questions.answer(try questions.open()[0].id, allow: true, services: services)
        return try await reply.services
    }

    private func again(
        _ protocols: [String] = files, for app: AppIdentity? = nil, token: String? = nil
    ) async throws -> AuthorizedService? {
        try await provider.authorizeProtocols(call(protocols, token: token), for: app ?? self.app())
            .services.first
    }

    private var tokens: [TokenRecord] { get throws { try desk.store.read { try $0.tokens.all() } } }

    /// Runs what works by itself until nothing is left for a service to hear.
    private func settle() async throws {
        let job = Task { try await provider.run() }
        defer { job.cancel() }
        try await eventually("services have heard") {
            try desk.store.read { try $0.tokens.revoking() }.isEmpty
        }
    }

    /// Another service that has its tokens from the library's endpoint.
    private func discoverArchive() async throws -> String {
        let archive = "\(service.url)/archive"
        let document = """
            {"engineName":"Archive","engineLink":"\(archive)","apis":{"org.ietf.oauth2":{"apiLink":"/oauth2"},\
            "org.example.files":{"apiLink":"/archive/files","settings":{"scope":"archive:read"}}}}
            """
        service.state.withLock { $0.document = document }
        _ = try await provider.discover(service.url + "/rsd.json", account: nil)
        return archive
    }

    // MARK: - What another one took the place of

    @Test func `A token that a wider one took the place of is given back, and the wider one alone stays`()
        async throws
    {
        try await authorize()
        let wider = try await authorize(Self.other)
        #expect(wider.first?.authorization.accessToken == "given-secret-3")
        try await settle()
        #expect(service.revoked == ["refresh-given-secret-2", "given-secret-2"])
        #expect(try await again(Self.other)?.authorization.accessToken == "given-secret-3")
        #expect(try provider.revokeGrant(app().description, isDry: false) != nil)
        try await settle()
        #expect(service.revoked.suffix(2) == ["refresh-given-secret-3", "given-secret-3"])
    }

    @Test func `A service that gives the same token again is not told to end it`() async throws {
        service.state.withLock { $0.sameToken = "one-and-only" }
        try await authorize()
        let wider = try await authorize(Self.other)
        #expect(wider.first?.authorization.accessToken == "one-and-only")
        #expect(try desk.store.read { try $0.tokens.revoking() }.isEmpty && tokens.count == 4)
    }

    @Test func `The desktop's token runs out: what apps have below it stays, and can still be taken back`()
        async throws
    {
        service.state.withLock { $0.hasRefreshTokens = false }
        try await authorize()
        desk.time.pass(.seconds(1800))
        try await authorize(for: app(2))
        desk.time.pass(.seconds(1790))
        // The desktop's own and the first app's have run out, the second app's has not.
        #expect(try await again()?.authorization.accessToken == "given-secret-5")
        try await settle()
        #expect(service.revoked == ["given-secret-2"])
        #expect(try await again(for: app(2))?.authorization.accessToken == "given-secret-3")
        #expect(try provider.revokeGrant(app(2).description, isDry: false) != nil)
        try await settle()
        #expect(service.revoked == ["given-secret-2", "given-secret-3"])
    }

    @Test func `A service that knows the desktop no more hears of all that hung on that`() async throws {
        try await authorize()
        service.state.withLock { $0.serviceToken = nil }
        try await authorize(Self.other)
        try await settle()
        #expect(Set(service.revoked).isSuperset(of: ["given-secret-1", "given-secret-2"]))
        #expect(!service.revoked.contains { $0.hasSuffix("-3") || $0.hasSuffix("-4") }, "what is new stays")
        #expect(try tokens.count == 4)
    }

    // MARK: - What a grant allowed

    @Test func `A token ends with the first grant that it is good for, and the next one is narrower`()
        async throws
    {
        try await authorize()
        desk.time.pass(.seconds(10))
        try await authorize(Self.other)
        #expect(service.forms.last?["scope"]?.replacing("+", with: " ") == "files:read other:use")
        desk.time.pass(.seconds(30 * 86_400 - 5))
        try await settleGrants(until: ["granted", "expired"])
        #expect(try !tokens.map(\.kind).contains(.app), "it was good for files, too")
        let narrower = try #require(try await again(Self.other))
        #expect(narrower.authorization.scope == "other:use")
    }

    @Test func `Of what two grants allow, the end of one takes nothing`() async throws {
        try await authorize()
        let grant = try #require(try provider.book.all().first)
        let id = try provider.book.ask(grant.app, Self.files)
        try provider.book.grant(id, grant.services, life: .seconds(60))
        desk.time.pass(.seconds(61))
        try await settleGrants(until: ["expired", "granted"])
        #expect(try await again()?.authorization.accessToken == "given-secret-2")
        #expect(service.revoked.isEmpty)
    }

    private func settleGrants(until states: [String]) async throws {
        let job = Task { try await provider.run() }
        defer { job.cancel() }
        try await eventually("the grants are \(states)") { try provider.list().map(\.state) == states }
    }

    // MARK: - Services that share a token endpoint

    @Test func `An app gets no token that was made for another service of the same endpoint`() async throws {
        let archive = try await discoverArchive()
        let given = try await authorize(services: [service.url, archive])
        #expect(Set(given.map(\.engineLink)) == [service.url, archive])
        #expect(Set(given.map(\.authorization.accessToken)).count == 2)
        let assertions = service.forms.compactMap { claims(of: $0["assertion"])["resource"] }
        #expect(Set(assertions) == [service.url, archive])
        #expect(service.introductions == 1, "they know the desktop by one token")
    }

    @Test func `What is taken back at one service stays at the other one of its endpoint`() async throws {
        let archive = try await discoverArchive()
        let given = try await authorize(services: [service.url, archive])
        let kept = try #require(given.first { $0.engineLink == archive })
        let call = AccessAPI.RevokeToken(clientId: "notes", engineLink: service.url)
        #expect(try await provider.revokeToken(call, for: app()).revoked)
        try await settle()
        #expect(!service.revoked.contains(kept.authorization.accessToken))
        #expect(try await again()?.authorization.accessToken == kept.authorization.accessToken)
    }

    @Test func `The desktop's own token goes with the last service of its endpoint`() async throws {
        let archive = try await discoverArchive()
        try await authorize(services: [service.url, archive])
        #expect(
            try provider.forget(service.url, isDry: false, account: nil) == ["the tokens of Notes at Library"]
        )
        try await settle()
        #expect(try !service.revoked.isEmpty && tokens.count { $0.kind == .service } == 1)
        let lost = try provider.forget(archive, isDry: false, account: nil)
        #expect(lost == ["the token of this desktop at Archive", "the tokens of Notes at Archive"])
        try await settle()
        #expect(try service.revoked.contains("given-secret-1") && tokens.isEmpty)
    }

    @Test func `A row that does not name its service is given back, and the app gets a token anew`()
        async throws
    {
        try await authorize()
        let row = try #require(try tokens.first { $0.kind == .app })
        let former = TokenRecord(
            id: "former", account: row.account, subject: "notes executable:/usr/bin/notes:1:1",
            target: row.target, kind: .app, sealed: row.sealed, expiresAt: row.expiresAt, scope: row.scope,
            parent: row.parent, createdAt: row.createdAt)
        try desk.store.write {
            try $0.tokens.setRevoking(row.id, at: desk.time.now)
            try $0.tokens.save(former)
        }
        #expect(try await again()?.authorization.accessToken == "given-secret-3")
        try await settle()
        #expect(try !tokens.contains { $0.id == "former" })
    }
}
