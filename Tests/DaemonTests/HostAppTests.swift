import AccessAPI
import Config
import ControlAPI
import CutieAPI
import Domain
import FeedPolicy
import HTTP
import Identity
import Localization
import Platform
import Reasons
import Store
import TestSupport
import Testing
import VarlinkSocket

@testable import AccessMethods
@testable import AccessServer
@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@testable import Services

/// Tests of apps that show replies from their own developers.
@MainActor
struct HostAppTests {
    private let fixture: IngestFixture
    private let accounts: AccountRegistry
    private let supervisor: AccountSupervisor
    private let questions: Questions
    private let added: AddedAccounts
    private let apps: HostApps
    private let consent: ActivityConsent
    private let openings: OpeningRegister
    private let handOver: HandOver

    init() throws {
        fixture = try IngestFixture(.never)
        accounts = AccountRegistry(log: fixture.log)
        supervisor = try fixture.supervisor(of: accounts)
        questions = try fixture.questions(fixture.queue())
        consent = ActivityConsent(store: fixture.store)
        openings = OpeningRegister(ingest: fixture.ingest)
        added = AddedAccounts(store: fixture.store, logger: .silent)
        handOver = HandOver(
            accounts: accounts, added: added, httpClient: HTTPClient(), runtime: fixture.runtime,
            apply: { [supervisor] in try supervisor.applyConfigurations($0) })
        let service = HostAppService(
            ingest: fixture.ingest, accounts: accounts, questions: questions, added: added,
            handOver: handOver,
            consent: consent, openings: openings,
            desktop: .init(
                opener: Opener(
                    command: nil, environment: [:],
                    screen: fixture.screen(FakeNotificationServer(), try fixture.notificationController()),
                    logger: .silent), environment: [:]),
            runtime: fixture.runtime)
        apps = HostApps(
            service: service, ingest: fixture.ingest, accounts: accounts, presence: fixture.presence,
            runtime: fixture.runtime)
    }

    private func app(_ inode: UInt64) -> AppIdentity {
        AppIdentity(
            ProcessFacts(
                executable: .init(path: "/usr/bin/notes", device: 1, inode: inode), sharesMounts: true),
            run: "")
    }

    private let notes = Configure(appId: "app_notes", apiUrl: "http://127.0.0.1:9", appName: "Notes")

    /// Sends a configuration request from an app and answers the question about it.
    private func configure(
        _ app: AppIdentity, _ call: Configure? = nil, allow: Bool = true
    ) async throws -> Configure.Reply {
        async let reply = apps.configure(call ?? notes, for: app)
        try await eventually("the question") { try questions.fetchOpenQuestions().count == 1 }
        _ = try await questions.answerQuestion(try questions.fetchOpenQuestions()[0].id, isAllowed: allow)
        return try await reply
    }

    /// Delivers a reply from an admin in a new conversation of `account`. Returns the conversation ID.
    private func answer(_ account: AccountID, in conversation: Conversation.ID) throws -> Conversation.ID {
        let message = Message.sample(.init("m-\(conversation.rawValue)"), in: conversation, at: 1)
        let event = Event.reply(message, unread: 1, event: .init("e-\(conversation.rawValue)"))
        try fixture.ingest.apply([event], to: account, receivedOver: .stream)
        return conversation
    }

    @Test func `After the user has allowed an app, the app has an account, and the user is not asked again`()
        async throws
    {
        let reply = try await configure(app(1))
        #expect(reply.account == "notes" && reply.apiUrl == "http://127.0.0.1:9")
        #expect(accounts.units.map(\.account.configuration.appID) == ["app_notes"])
        #expect(try await apps.configure(notes, for: app(1)) == reply)
        #expect(try questions.fetchOpenQuestions().isEmpty)
    }

    @Test
    func `A process uses the account that it configured, and a new process uses the app's latest account`()
        async throws
    {
        let production = notes
        let test = Configure(appId: "app_notes", apiUrl: "http://127.0.0.1:8", appName: "Notes")
        let other = Configure(appId: "app_bank", apiUrl: "http://127.0.0.1:9", appName: "Notes")
        var (first, second) = (app(1), app(1))
        (first.process, second.process) = ("1@1", "2@2")
        #expect(try await configure(first, production).account == "notes")
        #expect(try await configure(first, test).account == "notes-2")
        #expect(try await configure(second, other).account == "notes-3")
        #expect(try apps.service.findAccountName(of: first) == "notes-2")
        #expect(try apps.service.findAccountName(of: second) == "notes-3")
        #expect(try apps.service.findAccountName(of: app(1)) == "notes-3", "the last choice")
        #expect(try await apps.configure(production, for: first).account == "notes")
        #expect(try apps.service.findAccountName(of: app(1)) == "notes")
        #expect(try apps.service.findAccountName(of: second) == "notes-3")
        #expect(try questions.fetchOpenQuestions().isEmpty)
    }

    @Test func `An app keeps its previous account if the user refuses a new configuration`() async throws {
        _ = try await configure(app(1))
        await #expect(throws: ServiceError.self) {
            try await configure(app(1), Configure(appId: "app_bank", appName: "Notes"), allow: false)
        }
        #expect(try apps.service.findAccountName(of: app(1)) == "notes")
        #expect(try await apps.configure(notes, for: app(1)).account == "notes")
    }

    @Test
    func `Revoking an app removes all of its accounts, and revoking an account removes only that account`()
        async throws
    {
        let other = Configure(appId: "app_bank", apiUrl: "http://127.0.0.1:9", appName: "Notes")
        _ = try await configure(app(1))
        _ = try await configure(app(1), other)
        let grants = HostAppGrants(
            added: added, handOver: handOver, ingest: fixture.ingest, runtime: fixture.runtime)
        #expect(
            try grants.revokePermissions(of: "notes-2", isDryRun: false, deletesHistory: true)?.count == 2)
        #expect(try apps.service.findAccountName(of: app(1)) == "notes")
        _ = try await configure(app(1), other)
        #expect(
            try grants.revokePermissions(of: app(1).description, isDryRun: false, deletesHistory: false)?
                .count == 2)
        #expect(try added.fetchOwners().isEmpty)
    }

    @Test
    func `The question about an app states the app's name, whether the app is verified, and the server`()
        async throws
    {
        let asking = Task { try await apps.configure(notes, for: app(1)) }
        try await eventually("the question") { try questions.fetchOpenQuestions().count == 1 }
        let question = try #require(Question(try questions.fetchOpenQuestions()[0]))
        #expect(
            question.text(for: .user).question.english
                == "Notes wants to show you replies from its developers")
        #expect(
            question.text(for: .user).detail.contains { $0.english.contains("127.0.0.1") }
                && question.text(for: .user).detail.contains { $0.english.contains("could not verify") })
        #expect(question.text(for: .user).refuse.english == "Not Now")
        let view = QuestionView(try questions.fetchOpenQuestions()[0], question: question, for: .user)
        #expect(view.app == "notes" && view.verified == false)
        asking.cancel()
        _ = try? await asking.value
        #expect(try questions.fetchOpenQuestions().isEmpty, "no app waits for the answer")
    }

    @Test func `An app cannot see the account of another app`() async throws {
        _ = try await configure(app(1))
        let conversation = try answer(accounts.units[0].account.id, in: "c")
        #expect(
            try await apps.listConversations(.init(), for: app(1)).conversations.map(\.conversationId)
                == [conversation.rawValue])
        await #expect(throws: AccessAPI.NotConfigured.self) {
            try await asApp {
                try await apps.listConversations(.init(), for: app(2))
            }
        }
        _ = try await configure(
            app(2), Configure(appId: "app_bank", apiUrl: "http://127.0.0.1:9", appName: "Bank"))
        #expect(try await apps.listConversations(.init(), for: app(2)).conversations.isEmpty)
        await #expect(throws: AccessAPI.NotFound.self) {
            try await asApp {
                try await apps.getConversation(.init(conversation: conversation.rawValue), for: app(2))
            }
        }
        await #expect(throws: AccessAPI.NotFound.self) {
            try await asApp {
                try await apps.sendMessage(
                    .init(conversation: conversation.rawValue, message: "x"), for: app(2))
            }
        }
        let thread = try await apps.getConversation(.init(conversation: conversation.rawValue), for: app(1))
        #expect(thread.conversation.conversationId == conversation.rawValue)
    }

    @Test
    func
        `A refusal to remove a device applies to one app and device, and a refusal to link applies to one app`()
        async throws
    {
        let actions = HostAppActions(questions: questions, runtime: fixture.runtime)
        func ask(
            _ kind: HostAppAction.Kind, by inode: UInt64, device: String? = nil, allow: Bool? = nil
        ) async throws -> Bool {
            let owner = HostAppOwner(
                app: app(inode).description, name: "Notes", isVerified: false, allowedAt: .base)
            let affected = device.map { HostAppActions.AffectedDevice(id: DeviceID($0), name: "Phone") }
            async let reply = actions.requestPermission(
                for: kind, of: app(inode), owner: owner, device: affected)
            if let allow {
                try await eventually("the question") { try questions.fetchOpenQuestions().count == 1 }
                _ = try await questions.answerQuestion(
                    try questions.fetchOpenQuestions()[0].id, isAllowed: allow)
            }
            return try await reply
        }
        #expect(try await !ask(.unlink, by: 1, device: "device_1", allow: false))
        await #expect(throws: ServiceError.self) { try await ask(.unlink, by: 1, device: "device_1") }
        #expect(try await ask(.unlink, by: 1, device: "device_2", allow: true))
        #expect(try await ask(.unlink, by: 2, device: "device_1", allow: true))
        #expect(try await !ask(.link, by: 1, allow: false))
        await #expect(throws: ServiceError.self) { try await ask(.link, by: 1) }
        #expect(try await ask(.link, by: 2, allow: true))
        #expect(try await ask(.analytics, by: 1, allow: true))
        fixture.time.pass(.seconds(601))
        #expect(try await ask(.unlink, by: 1, device: "device_1", allow: true))
    }

    @Test func `A refusal is valid for a day, and a missing answer does not count as a refusal`() async throws
    {
        await #expect(throws: NotAllowed.self) {
            try await asApp { try await configure(app(1), allow: false) }
        }
        let refused = await #expect(throws: NotAllowed.self) {
            try await asApp { try await apps.configure(notes, for: app(1)) }
        }
        #expect(refused?.reason.contains("24 h") == true && refused?.unanswered == nil)
        fixture.time.pass(.seconds(86_401))
        let silent = Task { try await apps.configure(notes, for: app(1)) }
        try await eventually("the user is asked again") { try questions.fetchOpenQuestions().count == 1 }
        try await eventually("the timer of the question is set") {
            fixture.time.sleeps.contains(.seconds(120))
        }
        fixture.time.pass(.seconds(120))
        let unanswered = await #expect(throws: NotAllowed.self) {
            try await asApp { try await silent.value }
        }
        #expect(unanswered?.unanswered == true)
        #expect(try questions.fetchOpenQuestions().isEmpty)
        #expect(try await configure(app(1)).account == "notes")
    }

    @Test func `An app that cannot be identified cannot have an account`() async throws {
        await #expect(throws: NotAllowed.self) {
            try await asApp {
                try await apps.configure(notes, for: AppIdentity(nil, run: "1@1"))
            }
        }
        #expect(try questions.fetchOpenQuestions().isEmpty)
    }

    @Test(arguments: [
        Configure(appId: "", appName: "Notes"), Configure(appId: "a", appName: "No\ntes"),
        Configure(appId: "a", appName: "\u{202E}Notes"),
        Configure(appId: "a", apiUrl: "http://a.example", appName: "Notes"),
        Configure(appId: "a", apiUrl: "nonsense", appName: "Notes"),
    ])
    func `An invalid configuration request from an app is rejected without asking the user`(_ call: Configure)
        async throws
    {
        await #expect(throws: AccessAPI.InvalidArgument.self) {
            try await asApp { try await apps.configure(call, for: app(1)) }
        }
        #expect(try questions.fetchOpenQuestions().isEmpty)
    }

    @Test func `Opening the inbox fails if no program that can show the inbox is installed`() async throws {
        _ = try await configure(app(1))
        let failed = await #expect(throws: AccessAPI.Failed.self) {
            try await asApp {
                try await apps.openInbox(.init(), for: app(1))
            }
        }
        #expect(failed?.reason == "no program that shows replies could be started")
    }

    @Test func `An app whose account was removed gets the error "not configured" and may ask again`()
        async throws
    {
        let name = try await configure(app(1)).account
        #expect(try added.removeAccount(named: name))
        try supervisor.applyConfigurations(added.appendingAddedAccounts(to: []))
        await #expect(throws: AccessAPI.NotConfigured.self) {
            try await asApp {
                try await apps.listConversations(.init(), for: app(1))
            }
        }
        #expect(try added.fetchOwners().isEmpty)
    }

    @Test func `An app receives only the messages of its own account, starting at the requested position`()
        async throws
    {
        _ = try await configure(app(1))
        let own = accounts.units[0].account.id
        _ = try await configure(
            app(2), Configure(appId: "app_bank", apiUrl: "http://127.0.0.1:9", appName: "Bank"))
        let other = try #require(accounts.units.first { $0.account.name == "bank" }).account.id
        let heard = Shared<[AccessAPI.Watch.Reply]>([])
        try await running({ try await apps.watch(.init(), for: app(1)) { heard.value.append($0) } }) {
            try await eventually("the snapshot") { heard.value.map(\.type) == [.snapshot] }
            _ = try answer(other, in: "d")
            let conversation = try answer(own, in: "c")
            try await eventually("the app's own message") { heard.value.contains { $0.type == .message } }
            #expect(
                heard.value.allSatisfy {
                    $0.message?.conversationId ?? conversation.rawValue == conversation.rawValue
                })
            #expect(heard.value.filter { $0.type == .message }.count == 1)
        }
    }

    @Test
    func
        `A new app version is stored in the account, and setting the same version again does not restart the account`()
        async throws
    {
        _ = try await configure(app(1))
        _ = try await apps.setAppMetadata(.init(version: "2.1", build: "7"), for: app(1))
        let unit = accounts.units[0]
        #expect(unit.account.configuration.appVersion == "2.1" && unit.account.configuration.appBuild == "7")
        _ = try await apps.setAppMetadata(.init(version: "2.1", build: "7"), for: app(1))
        #expect(accounts.units[0] === unit)
    }
}

// MARK: - Facts, consent and opened conversations

extension HostAppTests {
    private func wanting(_ facts: [String]) -> Configure {
        Configure(
            appId: "app_notes", apiUrl: "http://127.0.0.1:9", appName: "Notes", deviceContext: facts)
    }

    @Test
    func `The question about an app lists the requested device facts, and only these facts are sent later`()
        async throws
    {
        let call = wanting(["language", "appVersion", "deviceModel"])
        let asking = Task { try await apps.configure(call, for: app(1)) }
        try await eventually("the question") { try questions.fetchOpenQuestions().count == 1 }
        let record = try questions.fetchOpenQuestions()[0]
        let detail = try #require(Question(record)).text(for: .user).detail
        #expect(detail.contains { $0.english.contains("your language, your computer model") })
        _ = try await questions.answerQuestion(record.id, isAllowed: true)
        _ = try await asking.value
        #expect(context == [.language, .appVersion, .deviceModel])
        _ = try await apps.configure(wanting(["language", "country", "osVersion"]), for: app(1))
        #expect(context == [.language])
        _ = try await apps.configure(notes, for: app(1))
        #expect(context == [])
        await #expect(throws: AccessAPI.InvalidArgument.self) {
            try await asApp { try await apps.configure(wanting(["shoe-size"]), for: app(1)) }
        }
    }

    private var context: Set<DeviceContext.Field> {
        accounts.units.first?.account.configuration.deviceContext.fields ?? []
    }

    @Test func `The account of an app uses attestation if the app requests attestation`() async throws {
        var call = notes
        call.useAppAttest = true
        _ = try await configure(app(1), call)
        #expect(accounts.units[0].account.configuration.attestation == .auto)
    }

    @Test func `Consent applies only to the app's own account and is returned by the next "Configure" call`()
        async throws
    {
        let account = try await configure(app(1)).account
        _ = try await configure(
            app(2), Configure(appId: "app_bank", apiUrl: "http://127.0.0.1:9", appName: "Bank"))
        #expect(try !consent.isPingAllowed(for: account))
        _ = try apps.setConsent(.init(enabled: true), for: app(1))
        #expect(try consent.isPingAllowed(for: account) && !consent.isPingAllowed(for: "bank"))
        #expect(try await apps.configure(notes, for: app(1)).consent == true)
        try consent.setDecision(true)
        _ = try apps.setConsent(.init(enabled: false), for: app(1))
        #expect(try !consent.isPingAllowed(for: account) && consent.isPingAllowed(for: "bank"))
    }

    @Test func `The daemon asks for consent, and does not ask again soon after a refusal`()
        async throws
    {
        _ = try await configure(app(1))
        async let consented = apps.requestConsent(.init(), for: app(1))
        try await eventually("the question") { try questions.fetchOpenQuestions().count == 1 }
        let record = try questions.fetchOpenQuestions()[0]
        #expect(
            try #require(Question(record)).text(for: .user).question.english
                == "Allow Notes to count you as an active user?")
        _ = try await questions.answerQuestion(record.id, isAllowed: false)
        let reply = try await consented
        #expect(!reply.enabled)
        #expect(try await apps.configure(notes, for: app(1)).consent == false)
        await #expect(throws: NotAllowed.self) {
            try await asApp { try await apps.requestConsent(.init(), for: app(1)) }
        }
        #expect(try questions.fetchOpenQuestions().isEmpty)
    }

    @Test
    func
        `An opened conversation is passed to the app that owns the account, which can show the conversation`()
        async throws
    {
        _ = try await configure(app(1))
        let own = accounts.units[0].account.id
        let conversation = try answer(own, in: "c")
        #expect(
            try !openings.recordOpening(of: conversation, account: own, message: nil, source: .notification))
        let heard = Shared<[AccessAPI.Watch.Reply]>([])
        let watch = AccessAPI.Watch(since: 0, handlesOpening: true)
        try await running({ try await apps.watch(watch, for: app(1)) { heard.value.append($0) } }) {
            try await eventually("the first opened conversation") {
                heard.value.contains { $0.type == .opened }
            }
            #expect(try openings.recordOpening(of: conversation, account: own, message: "m-c", source: .link))
            #expect(try !openings.recordOpening(of: "unknown", account: own, message: nil, source: .link))
            try await eventually("the second opened conversation") {
                heard.value.count { $0.type == .opened } == 2
            }
        }
        let opened = heard.value.filter { $0.type == .opened }
        #expect(opened.map(\.openedBy) == ["notification", "link"])
        #expect(opened.map(\.openedMessage) == [nil, "m-c"])
        #expect(opened.allSatisfy { $0.conversation == "c" })
        #expect(
            try !openings.recordOpening(of: conversation, account: own, message: nil, source: .link),
            "no app watches")
    }
}
