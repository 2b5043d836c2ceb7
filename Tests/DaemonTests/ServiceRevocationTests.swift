import AccessAPI
import Config
import ControlAPI
import CutieAPI
import Domain
import Foundation
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
@testable import ControlServer
@testable import EventLog
@testable import Notifications
@testable @_spi(Access) import Store

/// Tests of revoking the access of apps to services.
@MainActor
struct ServiceRevocationTests {
    private let fixture: IngestFixture
    private let accounts: AccountRegistry
    private let questions: Questions
    private let provider: AccessProvider
    private let service: ScriptedService
    private let issuer: ScriptedIssuer
    private let unit: AccountUnit

    /// Creates a fixture in which Kim is signed in and has allowed an app to use the library's service.
    init() async throws {
        fixture = try IngestFixture(.brief)
        accounts = AccountRegistry(log: fixture.log)
        questions = try fixture.questions(fixture.queue())
        provider = try fixture.access(accounts, questions)
        service = try ScriptedService()
        issuer = try ScriptedIssuer(token: { connection, form, _ in
            guard form["grant_type"]?.hasSuffix(":token-exchange") == true else { return false }
            return connection.answer(
                body: #"{"access_token":"a.person-secret.s","issued_token_type":"#
                    + #""urn:ietf:params:oauth:token-type:jwt","token_type":"N_A","expires_in":300}"#)
        })
        var identity = AccountConfiguration(name: "me", kind: .identity)
        identity.apiURL = try APIAddress(issuer.url)
        try fixture.supervisor(of: accounts).applyConfigurations([identity])
        unit = try #require(accounts.units.first)
        try await unit.requireSignIn().signIn(by: .device, loginHint: nil, isNewAccount: false) { _ in }
        _ = try await provider.discoverServices(at: service.url, account: nil)
        #expect(try await authorize().count == 1)
    }

    private let app = AppIdentity(
        ProcessFacts(executable: .init(path: "/usr/bin/notes", device: 1, inode: 1), sharesMounts: true),
        run: "")

    private let call = AuthorizeProtocols(
        clientId: "notes", appId: "org.example.Notes", appName: "Notes", protocols: ["org.example.files"])

    private func authorize() async throws -> [AuthorizedService] {
        async let reply = provider.authorizeProtocols(call, for: app)
        try await eventually("the question") { try questions.fetchOpenQuestions().count == 1 }
        _ = try await questions.answerQuestion(try questions.fetchOpenQuestions()[0].id, isAllowed: true)
        return try await reply.services
    }

    private var tokens: [TokenRecord] {
        get throws { try fixture.store.read { try $0.tokens.fetchActive() } }
    }

    /// Runs the provider's background job until `condition` holds.
    private func running(until what: String, _ condition: @MainActor () throws -> Bool) async throws {
        let job = Task { try await provider.run() }
        defer { job.cancel() }
        try await eventually(what) { try condition() }
    }

    @Test func `A revocation ends the access of the app immediately, and the service revokes the tokens`()
        async throws
    {
        let dry = try provider.revokeGrants(of: app.description, isDryRun: true)
        #expect(dry?.map(\.english) == ["the tokens of Notes at Library"])
        #expect(try tokens.count == 4, "it only tells")
        #expect(try provider.revokeGrants(of: app.description, isDryRun: false) == dry)
        #expect(try !tokens.map(\.kind).contains(.app))
        try await running(until: "the service revokes both tokens") {
            service.revoked == ["refresh-given-secret-2", "given-secret-2"]
        }
        #expect(try provider.listGrants().map(\.state) == [.revoked])
        #expect(
            try await authorize().first?.authorization.accessToken == "given-secret-3",
            "the user is asked again")
        #expect(service.introductions == 1, "the desktop's own token stayed")
    }

    @Test
    func `If access is revoked during a token request, the new token is revoked and not returned to the app`()
        async throws
    {
        _ = try provider.revokeGrants(of: app.description, isDryRun: false)
        let gate = Gate()
        service.state.withLock { $0.gate = gate }
        async let services = authorize()
        try await eventually("the token is being issued") { service.state.withLock(\.given) >= 3 }
        _ = try provider.revokeGrants(of: app.description, isDryRun: false)
        gate.open()
        #expect(try await services.isEmpty)
        #expect(try !tokens.map(\.kind).contains(.app))
        try await running(until: "the service revokes the token") {
            service.revoked.contains("given-secret-3")
        }
    }

    @Test func `Revocations that an unreachable service missed are retried, even after a restart`()
        async throws
    {
        service.state.withLock { $0.isAway = true }
        _ = try provider.revokeGrants(of: app.description, isDryRun: false)
        try await running(until: "a revocation is tried") {
            service.requestCount(of: "POST /oauth2/revoke") > 0
        }
        #expect(try fixture.store.read { try $0.tokens.fetchTokensToRevoke() }.count == 2)
        service.state.withLock { $0.isAway = false }
        let later = try fixture.access(accounts, questions)
        let job = Task { try await later.run() }
        defer { job.cancel() }
        // A revocation that the first provider had in flight may also arrive at the service.
        try await eventually("the service revokes both tokens") { Set(service.revoked).count >= 2 }
        try await eventually("no token is left to revoke") {
            try fixture.store.read { try $0.tokens.fetchTokensToRevoke() }.isEmpty
        }
    }

    @Test func `An app can revoke its own access token`() async throws {
        let other = AppIdentity(
            ProcessFacts(executable: .init(path: "/usr/bin/bank", device: 1, inode: 2), sharesMounts: true),
            run: "")
        let call = AccessAPI.RevokeToken(clientId: "notes", engineLink: service.url)
        #expect(try await provider.revokeToken(call, for: other).revoked == false)
        #expect(try await provider.revokeToken(.init(clientId: "else"), for: app).revoked == false)
        #expect(try tokens.map(\.kind).contains(.app))
        #expect(try await provider.revokeToken(call, for: app).revoked)
        try await running(until: "the service revokes the token") {
            service.revoked.contains("given-secret-2")
        }
        #expect(try await provider.revokeToken(call, for: app).revoked == false)
    }

    @Test func `Forgetting a service revokes all tokens of the service`() async throws {
        let dry = try provider.forgetService(named: "Library", isDryRun: true, account: nil)
        #expect(dry.map(\.english) == ["this computer's token at Library", "the tokens of Notes at Library"])
        #expect(try provider.findServices(onlyAuthorized: true, searchText: "libr", account: nil).count == 1)
        #expect(try provider.forgetService(named: service.url, isDryRun: false, account: nil) == dry)
        #expect(
            try tokens.isEmpty
                && provider.findServices(onlyAuthorized: false, searchText: nil, account: nil).isEmpty)
        try await running(until: "the service revokes the token") {
            service.revoked.contains("given-secret-1")
        }
        #expect(throws: ControlAPI.NotFound.self) {
            try asClient {
                try provider.forgetService(named: "Library", isDryRun: false, account: nil)
            }
        }
    }

    @Test
    func `The tokens of a grant are revoked when the grant expires, even if the tokens are still valid`()
        async throws
    {
        service.state.withLock { $0.lifetime = 366 * 86_400 }
        fixture.time.pass(.seconds(4000))
        let given = try await provider.authorizeProtocols(call, for: app).services
        let end = try #require(given.first?.authorization.expiresAt)
        #expect(
            end <= fixture.time.now.milliseconds + 30 * 86_400_000,
            "the access of the app lasts no longer than the grant"
        )
        fixture.time.pass(.seconds(30 * 86_400))
        try await running(until: "the service revokes the token") {
            service.revoked.contains("given-secret-3")
        }
        #expect(try provider.listGrants().map(\.state) == [.expired])
    }

    @Test func `Signing out revokes all tokens that depend on the session`() async throws {
        #expect(
            try provider.makeRevocationMessages(forSignOutOf: unit.account.id).map(\.english)
                == ["this computer's token at Library, and the tokens of apps that use it"])
        let job = Task { try await provider.run() }
        defer { job.cancel() }
        _ = try await unit.requireSignIn().signOut(within: .zero)
        try await eventually("the service revokes the token") { service.revoked.contains("given-secret-1") }
        #expect(try tokens.isEmpty)
    }

    @Test func `A stored token that was modified or moved to another row cannot be decrypted and is ignored`()
        async throws
    {
        let app = try #require(try tokens.first { $0.kind == .app })
        let own = try #require(try tokens.first { $0.kind == .service })
        var swapped = app
        swapped.encryptedToken = own.encryptedToken
        try fixture.store.write { try $0.tokens.save(swapped) }
        let given = try await provider.authorizeProtocols(call, for: self.app).services
        #expect(given.first?.authorization.accessToken == "given-secret-3", "never the desktop's own token")
        #expect(service.appAssertions == 2)
    }

    @Test func `A stored token that was copied to another account cannot be decrypted`() async throws {
        let app = try #require(try tokens.first { $0.kind == .app })
        let moved = TokenRecord(
            id: "moved", account: app.account, subject: "notes somebody-else", target: app.target, kind: .app,
            encryptedToken: app.encryptedToken, expiresAt: app.expiresAt, scope: app.scope,
            parent: app.parent,
            createdAt: app.createdAt)
        try fixture.store.write { try $0.tokens.save(moved) }
        let tree = TokenTree(
            store: fixture.store,
            secrets: try SecretStore(.file, directory: fixture.directory.path, environment: [:]))
        let place = TokenTree.TokenKey(
            kind: .app, subject: moved.subject, target: try EndpointURL(moved.target))
        #expect(try await tree.findOrDiscardToken(for: place, of: unit.account) == nil)
        #expect(try !tokens.map(\.id).contains("moved"))
    }

    @Test func `No file in the state directory and no list contains a readable token`()
        async throws
    {
        _ = try provider.findServices(onlyAuthorized: false, searchText: nil, account: nil)
        try fixture.store.wipeFreedPages()
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path)
        #expect(names.contains { $0.hasPrefix("cutied.db") })
        for name in names where name.hasPrefix("cutied.db") {
            let data = try Data(contentsOf: fixture.directory.url.appending(path: name))
            let text = String(decoding: data, as: UTF8.self)
            #expect(!text.contains("given-secret") && !text.contains("person-secret"), "\(name)")
        }
        #expect(try !"\(provider.listGrants())".contains("given-secret"))
    }

    @Test func `The event log contains each request for access and its outcome`() async throws {
        _ = try provider.revokeGrants(of: app.description, isDryRun: false)
        #expect(try fixture.logged(.accessRequested).count == 1)
        #expect(try fixture.logged(.accessGranted).first?.data?.contains("Library") == true)
        #expect(try fixture.logged(.accessRevoked).count == 1)
    }

    @Test func `Requests that an earlier run of the daemon left unanswered are refused`() async throws {
        let asked = try provider.grantRegister.addRequest(
            from: .init(id: "a", clientID: "c", name: "A", identity: "x", isVerified: false), for: ["p"])
        try await running(until: "the request is closed") {
            try !provider.grantRegister.isRequestUndecided(asked)
        }
        #expect(try provider.listGrants().first?.state == .refused)
    }
}
