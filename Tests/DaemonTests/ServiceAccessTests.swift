import AccessAPI
import Config
import ControlAPI
import CutieAPI
import Domain
import HTTP
import Identity
import Localization
import NotificationPolicy
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

/// Tests of apps that request services of the user's institution.
@MainActor
struct ServiceAccessTests {
    private let fixture: IngestFixture
    private let accounts: AccountRegistry
    private let questions: Questions
    private let provider: AccessProvider
    private let service: ScriptedService

    init() throws {
        fixture = try IngestFixture(.brief)
        accounts = AccountRegistry(log: fixture.log)
        questions = try fixture.questions(fixture.queue())
        provider = try fixture.access(accounts, questions)
        service = try ScriptedService()
    }

    // MARK: - Helpers

    private func app(_ inode: UInt64 = 1) -> AppIdentity {
        AppIdentity(
            ProcessFacts(
                executable: .init(path: "/usr/bin/notes", device: 1, inode: inode), sharesMounts: true),
            run: "")
    }

    private func call(
        _ protocols: [String] = ["org.example.files"], single: Bool? = nil, token: String? = nil
    ) -> AuthorizeProtocols {
        AuthorizeProtocols(
            clientId: "notes", appId: "org.example.Notes", appName: "Notes", protocols: protocols,
            single: single, renew: token)
    }

    /// Returns an issuer that issues assertions about the user Kim to any service.
    private func issuer(refusing code: String? = nil) throws -> ScriptedIssuer {
        try ScriptedIssuer(token: { connection, form, _ in
            guard form["grant_type"]?.hasSuffix(":token-exchange") == true else { return false }
            if let code { return connection.refuse(code) }
            return connection.answer(
                body: #"{"access_token":"a.person-secret.s","issued_token_type":"#
                    + #""urn:ietf:params:oauth:token-type:jwt","token_type":"N_A","expires_in":300}"#)
        })
    }

    @discardableResult
    private func signIn(_ name: String = "me", at issuer: ScriptedIssuer) async throws -> AccountUnit {
        var identity = AccountConfiguration(name: name, kind: .identity)
        identity.apiURL = try APIAddress(issuer.url)
        try fixture.supervisor(of: accounts).applyConfigurations(
            accounts.units.map(\.account.configuration) + [identity])
        let unit = try #require(accounts.units.last)
        try await unit.requireSignIn().signIn(by: .device, loginHint: nil, isNewAccount: false) { _ in }
        return unit
    }

    private func discover() async throws {
        #expect(
            try await provider.discoverServices(at: service.url, account: nil).services.map(\.name) == [
                "Library"
            ])
    }

    /// Sends an app's request for access and answers the resulting question.
    private func authorize(
        _ call: AuthorizeProtocols? = nil, for app: AppIdentity? = nil, allow: Bool = true,
        services: [String]? = nil
    ) async throws -> [AuthorizedService] {
        let (call, app) = (call ?? self.call(), app ?? self.app())
        async let reply = provider.authorizeProtocols(call, for: app)
        try await eventually("the question") { try questions.fetchOpenQuestions().count == 1 }
        _ = try await questions.answerQuestion(
            try questions.fetchOpenQuestions()[0].id, isAllowed: allow, services: services)
        return try await reply.services
    }

    private func ready() async throws -> ScriptedIssuer {
        let issuer = try issuer()
        try await signIn(at: issuer)
        try await discover()
        return issuer
    }

    // MARK: - Granting

    @Test
    func `After approval, the app gets a token and the description of the requested protocols`()
        async throws
    {
        let issuer = try await ready()
        let given = try #require(try await authorize().first)
        #expect(given.engineName == "Library" && given.engineLink == service.url)
        #expect(Set(given.apis.keys) == ["org.example.files", "org.ietf.oauth2"])
        #expect(given.apis["org.example.files"]?.apiLink == service.url + "/files")
        #expect(
            given.authorization.accessToken == "given-secret-2" && given.authorization.tokenType == "Bearer")
        #expect(given.authorization.scope == "files:read")

        let exchange = try #require(issuer.forms.last)
        #expect(exchange["audience"] == service.url + "/oauth2/token")
        #expect(exchange["subject_token"] == "access-secret-1")
        let introduction = try #require(service.forms.first)
        #expect(introduction["assertion"] == "a.person-secret.s")
        let proof = claims(of: introduction["client_assertion"])
        #expect(proof["iss"] == "cutied" && proof["sub"] == "cutied" && proof["cnf"] != nil)
        let assertion = claims(of: service.forms.last?["assertion"])
        #expect(assertion["sub"] == "kim" && assertion["azp"] == "org.example.Notes")
        #expect(assertion["aud"] == service.url + "/oauth2/token" && assertion["resource"] == service.url)
        #expect(assertion["jti"] != nil && assertion["jti"] != proof["jti"])
    }

    @Test func `The details of a protocol are returned to the app and shown to the user`() async throws {
        service.state.withLock {
            $0.document = #"""
                {"engineLink":"\#(service.url)","apis":{"org.ietf.oauth2":{"apiLink":"oauth2"},
                 "org.example.files":{"apiLink":"soap","apiVersion":["1.9",2],"transport":["soap","rest"],
                  "preferred":"Yes","docs":"help","description":"files.wsdl","notes":"Read only","engineId":"f"}}}
                """#
        }
        let issuer = try issuer()
        try await signIn(at: issuer)
        let link = try #require(
            try await provider.discoverServices(at: service.url, account: nil).services.first
        ).link
        let api = try #require(try await authorize().first?.apis["org.example.files"])
        #expect(api.apiVersion == "1.9" && api.apiVersions == ["1.9", "2"])
        #expect(api.transport == "SOAP" && api.transports == ["SOAP", "REST"])
        #expect(api.preferred == true && api.engineId == "f" && api.notes == "Read only")
        #expect(api.docs == service.url + "/help" && api.description == service.url + "/files.wsdl")
        let known = try #require(
            try provider.findServices(onlyAuthorized: false, searchText: nil, account: nil, link: link).first)
        #expect(known.apis.map(\.name) == ["org.example.files"])
        #expect(
            known.apis[0].versions == ["1.9", "2"] && known.apis[0].serviceDescription == api.description)
        #expect(
            try provider.findServices(onlyAuthorized: false, searchText: nil, account: nil, link: "other")
                .isEmpty)
    }

    @Test func `The question names the app, the requested access and the services`() async throws {
        _ = try await ready()
        let asking = Task { try await provider.authorizeProtocols(call(), for: app()) }
        try await eventually("the question") { try questions.fetchOpenQuestions().count == 1 }
        let record = try questions.fetchOpenQuestions()[0]
        let view = QuestionView(record, question: try #require(Question(record)), for: .user)
        #expect(view.kind == "services" && view.question == "Notes requests access to your services")
        #expect(view.app == "notes" && view.verified == false && view.protocols == ["org.example.files"])
        #expect(view.services?.map(\.name) == ["Library"] && view.services?.first?.account == "me")
        #expect(view.detail.contains("org.example.files") && view.detail.contains("Library (127.0.0.1"))
        #expect(try provider.listGrants().map(\.state) == [.asked])
        asking.cancel()
        _ = try? await asking.value
        #expect(
            try questions.fetchOpenQuestions().isEmpty && provider.listGrants().map(\.state) == [.refused])
    }

    @Test func `After an approval, the user is not asked again until the grant expires`() async throws {
        _ = try await ready()
        _ = try await authorize()
        let again = try await provider.authorizeProtocols(call(), for: app())
        #expect(again.services.first?.authorization.accessToken == "given-secret-2", "the same token")
        #expect(service.introductions == 1 && service.appAssertions == 1)
        fixture.time.pass(.seconds(31 * 86_400))
        #expect(try await authorize().isEmpty == false, "the user was asked")
    }

    @Test
    func `A token that has expired or that the app reports as rejected is renewed without asking the user`()
        async throws
    {
        _ = try await ready()
        _ = try await authorize()
        fixture.time.pass(.seconds(4000))
        let renewed = try await provider.authorizeProtocols(call(), for: app()).services
        #expect(renewed.first?.authorization.accessToken == "given-secret-3")
        #expect(service.forms.last?["refresh_token"] == "refresh-given-secret-2")
        let forced = try await provider.authorizeProtocols(call(token: "given-secret-3"), for: app()).services
        #expect(
            forced.first?.authorization.accessToken == "given-secret-4", "the app says that it does not do")
    }

    @Test func `If a service has revoked the daemon's token, the daemon registers with the service again`()
        async throws
    {
        _ = try await ready()
        _ = try await authorize()
        service.state.withLock { $0.serviceToken = nil }
        let other = try await authorize(call(["org.example.other"]))
        #expect(!other.isEmpty && service.introductions == 2)
    }

    @Test func `Each app gets separate tokens and a separate question`() async throws {
        _ = try await ready()
        let first = try await authorize(for: app(1))
        let second = try await authorize(for: app(2))
        #expect(first.first?.authorization.accessToken != second.first?.authorization.accessToken)
        #expect(service.introductions == 1, "the desktop itself is known already")
    }

    // MARK: - Refusing

    @Test func `After a refusal, the app gets an empty list, and the refusal is valid for a day`()
        async throws
    {
        _ = try await ready()
        #expect(try await authorize(allow: false).isEmpty)
        #expect(try await provider.authorizeProtocols(call(), for: app()).services.isEmpty)
        #expect(try questions.fetchOpenQuestions().isEmpty && service.forms.isEmpty)
        #expect(try provider.listGrants().map(\.state) == [.refused])
        fixture.time.pass(.seconds(86_401))
        #expect(try await authorize().count == 1)
    }

    @Test func `The user can delete a refusal, so that the app can ask again`() async throws {
        _ = try await ready()
        #expect(try await authorize(allow: false).isEmpty)
        let lost = try provider.revokeGrants(of: app().description, isDryRun: false)
        #expect(
            lost?.map(\.english) == ["your decision to deny access to Notes, so that Notes can ask again"])
        #expect(try await authorize().count == 1)
    }

    @Test func `A request is refused for an hour if the user does not answer within two minutes`()
        async throws
    {
        _ = try await ready()
        let silent = Task { try await provider.authorizeProtocols(call(), for: app()) }
        try await eventually("the timer of the question is set") {
            fixture.time.sleeps.contains(.seconds(120))
        }
        fixture.time.pass(.seconds(120))
        #expect(try await silent.value.services.isEmpty)
        #expect(try questions.fetchOpenQuestions().isEmpty)
        let late = await #expect(throws: ControlAPI.NotFound.self) {
            try await asClient {
                try await questions.answerQuestion(1, isAllowed: true)
            }
        }
        #expect(late?.what == "question")
        #expect(try await provider.authorizeProtocols(call(), for: app()).services.isEmpty)
        #expect(try questions.fetchOpenQuestions().isEmpty, "the user is not asked again")
        fixture.time.pass(.seconds(3600))
        #expect(try await authorize().count == 1)
    }

    @Test func `If no user is signed in, a notification is shown and the app gets no services`() async throws
    {
        let asking = Task { try await provider.authorizeProtocols(call(), for: app()) }
        try await eventually("the question") { try questions.fetchOpenQuestions().count == 1 }
        let words = try #require(Question(try questions.fetchOpenQuestions()[0])).text(for: .user)
        #expect(words.detail.contains { $0.english.contains("None of your signed-in accounts") })
        #expect(words.allow.english == "Close")
        _ = try await questions.answerQuestion(try questions.fetchOpenQuestions()[0].id, isAllowed: true)
        #expect(try await asking.value.services.isEmpty)
    }

    @Test func `No question is asked if no service supports the requested protocols`() async throws {
        _ = try await ready()
        let reply = try await provider.authorizeProtocols(call(["org.example.unknown"]), for: app())
        #expect(reply.services.isEmpty)
        #expect(try questions.fetchOpenQuestions().isEmpty && provider.listGrants().isEmpty)
    }

    @Test(arguments: ["invalid_target", "invalid_request", "unsupported_grant_type"])
    func `A service that is unknown to the issuer is not returned`(code: String) async throws {
        let issuer = try issuer(refusing: code)
        try await signIn(at: issuer)
        try await discover()
        #expect(try await authorize().isEmpty)
        #expect(service.forms.isEmpty)
        #expect(try provider.listGrants().map(\.state) == [.revoked])
    }

    @Test func `A service that rejects the issuer's assertion is not returned`() async throws {
        _ = try await ready()
        service.state.withLock { $0.refusal = "invalid_grant" }
        #expect(try await authorize().isEmpty)
        #expect(try fixture.store.read { try $0.tokens.fetchActive() }.isEmpty)
        service.state.withLock { $0.refusal = nil }
        #expect(try await authorize().count == 1, "it may be asked about again")
    }

    @Test(arguments: ["No\u{202E}tes", "No\ntes", " ", String(repeating: "n", count: 257)])
    func `A request is rejected if the app name could change the meaning of the question`(name: String)
        async throws
    {
        _ = try await ready()
        var call = call()
        call.appName = name
        await #expect(throws: AccessAPI.InvalidArgument.self) {
            try await asApp {
                try await provider.authorizeProtocols(call, for: app())
            }
        }
    }

    // MARK: - Choosing services

    @Test
    func `Only the chosen services are returned, and only one service if the app requests a single service`()
        async throws
    {
        let other = try ScriptedService()
        other.state.withLock { $0.document = ScriptedService.description(of: "Archive", at: other.url) }
        _ = try await ready()
        _ = try await provider.discoverServices(at: other.url, account: nil)
        let both = try await authorize(services: [other.url])
        #expect(both.map(\.engineName) == ["Archive"])
        #expect(service.forms.isEmpty, "the other service gets no request")
        let single = try await authorize(call(single: true), for: app(2))
        #expect(single.map(\.engineName) == ["Archive"], "what was used before comes first")
    }

    @Test func `An invalid choice is rejected, and the question stays open`() async throws {
        _ = try await ready()
        let asking = Task { try await provider.authorizeProtocols(call(), for: app()) }
        try await eventually("the question") { try questions.fetchOpenQuestions().count == 1 }
        let id = try questions.fetchOpenQuestions()[0].id
        await #expect(throws: ControlAPI.InvalidArgument.self) {
            try await asClient {
                try await questions.answerQuestion(id, isAllowed: true, services: ["Nowhere"])
            }
        }
        #expect(try questions.fetchOpenQuestions().count == 1)
        _ = try await questions.answerQuestion(id, isAllowed: true, services: ["Library"])
        #expect(try await asking.value.services.count == 1)
    }

    @Test func `Closing the notification does not answer the question, which stays pending`() async throws {
        _ = try await ready()
        let asking = Task { try await provider.authorizeProtocols(call(), for: app()) }
        try await eventually("the question") { try questions.fetchOpenQuestions().count == 1 }
        let id = try questions.fetchOpenQuestions()[0].id
        try questions.handleClosedNotification(ofQuestion: id, reason: .dismissed)
        #expect(try questions.fetchOpenQuestions().count == 1)
        _ = try await questions.answerQuestion(id, isAllowed: true)
        #expect(try await asking.value.services.count == 1)
    }
}
