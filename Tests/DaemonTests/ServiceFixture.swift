import AccessAPI
import Config
import ControlAPI
import CutieAPI
import Domain
import HTTP
import Identity
import OAuth
import Platform
import Synchronization
import TestSupport
import Testing
import VarlinkSocket

@testable import Access
@testable import AccessMethods
@testable import AccessServer
@testable import Accounts
@testable import EventLog
@testable import Notifications
@testable @_spi(Access) import Store

/// A fixture in which the user Kim is signed in and the service of a library has been discovered. The tests
/// request access to this service as an app.
@MainActor
struct ServiceFixture {
    let fixture: IngestFixture
    let accounts: AccountRegistry
    let questions: Questions
    let provider: AccessProvider
    let service: ScriptedService
    let issuer: ScriptedIssuer

    static let files = ["org.example.files"]
    static let other = ["org.example.other"]

    init() async throws {
        fixture = try IngestFixture(.brief)
        accounts = AccountRegistry(log: fixture.log)
        questions = try fixture.questions(fixture.queue())
        provider = try fixture.access(accounts, questions)
        service = try ScriptedService()
        issuer = try Self.issuer()
        try await signIn(to: "me", at: issuer)
        _ = try await provider.discoverServices(at: service.url, account: nil)
    }

    /// Returns an issuer that issues assertions about the signed-in user to any service.
    static func issuer() throws -> ScriptedIssuer {
        try ScriptedIssuer(token: { connection, form, _ in
            guard form["grant_type"]?.hasSuffix(":token-exchange") == true else { return false }
            return connection.answer(
                body: #"{"access_token":"a.person-secret.s","issued_token_type":"#
                    + #""urn:ietf:params:oauth:token-type:jwt","token_type":"N_A","expires_in":300}"#)
        })
    }

    @discardableResult
    func signIn(to name: String, at issuer: ScriptedIssuer) async throws -> AccountUnit {
        if self.unit(name) == nil {
            var identity = AccountConfiguration(name: name, kind: .identity)
            identity.apiURL = try APIAddress(issuer.url)
            try fixture.supervisor(of: accounts).applyConfigurations(
                accounts.units.map(\.account.configuration) + [identity])
        }
        let unit = try #require(self.unit(name))
        try await unit.requireSignIn().signIn(by: .device, loginHint: nil, isNewAccount: false) { _ in }
        return unit
    }

    func unit(_ name: String) -> AccountUnit? { accounts.units.first { $0.account.name == name } }

    func app(_ inode: UInt64 = 1) -> AppIdentity {
        AppIdentity(
            ProcessFacts(
                executable: .init(path: "/usr/bin/notes", device: 1, inode: inode), sharesMounts: true),
            run: "")
    }

    func call(
        _ protocols: [String] = files, client: String = "notes", token: String? = nil
    ) -> AuthorizeProtocols {
        AuthorizeProtocols(
            clientId: client, appId: "org.example.Notes", appName: "Notes", protocols: protocols, renew: token
        )
    }

    /// Sends an app's request for access and answers the resulting question.
    @discardableResult
    func authorize(
        _ protocols: [String] = files, client: String = "notes", for app: AppIdentity? = nil,
        allow: Bool = true, services: [String]? = nil
    ) async throws -> [AuthorizedService] {
        let (call, app) = (call(protocols, client: client), app ?? self.app())
        async let reply = provider.authorizeProtocols(call, for: app)
        try await eventually("the question") { try questions.fetchOpenQuestions().count == 1 }
        _ = try await questions.answerQuestion(
            try questions.fetchOpenQuestions()[0].id, isAllowed: allow, services: services)
        return try await reply.services
    }

    /// Sends a request for which the user has already granted access, so that no question is asked.
    func authorizeAgain(
        _ protocols: [String] = files, client: String = "notes", for app: AppIdentity? = nil,
        token: String? = nil
    ) async throws -> AuthorizedService? {
        let call = call(protocols, client: client, token: token)
        return try await provider.authorizeProtocols(call, for: app ?? self.app()).services.first
    }

    var tokens: [TokenRecord] { get throws { try fixture.store.read { try $0.tokens.fetchActive() } } }
    var revoking: [TokenRecord] {
        get throws { try fixture.store.read { try $0.tokens.fetchTokensToRevoke() } }
    }

    func setDiscoveryURL(_ url: String) throws { provider.directory.discovery = try EndpointURL(url) }

    /// Runs the provider's background job until `condition` holds.
    func running(until what: String, _ condition: @MainActor () throws -> Bool) async throws {
        let job = Task { try await provider.run() }
        defer { job.cancel() }
        try await eventually(what) { try condition() }
    }

    /// Runs the provider's background job until no revocation is pending.
    func waitUntilIdle() async throws {
        try await running(until: "all revocations are sent") { try revoking.isEmpty }
    }

    func runUntilGrants(are states: [String]) async throws {
        try await running(until: "the grants are \(states)") {
            try provider.listGrants().map(\.state.rawValue) == states
        }
    }
}

extension AccessProvider {
    /// Handles an app's request in the same way as the access socket.
    func authorizeProtocols(
        _ call: AuthorizeProtocols, for app: AppIdentity
    ) async throws -> AuthorizeProtocols.Reply {
        try await ServiceAccess(provider: self).authorizeProtocols(call, for: app)
    }

    func revokeToken(
        _ call: AccessAPI.RevokeToken, for app: AppIdentity
    ) async throws -> AccessAPI.RevokeToken.Reply {
        try await ServiceAccess(provider: self).revokeToken(call, for: app)
    }
}
