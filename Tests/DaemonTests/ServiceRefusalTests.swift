import AccessAPI
import ControlAPI
import CutieAPI
import Domain
import Reasons
import Synchronization
import TestSupport
import Testing

@testable import Access
@testable import AccessServer
@testable import Accounts
@testable import Notifications
@testable @_spi(Access) import Store

/// Tests of the scope of a refusal, and of hosts whose service description cannot be read.
@MainActor
struct ServiceRefusalTests {
    private let fixture: ServiceFixture
    private var provider: AccessProvider { fixture.provider }

    init() async throws { fixture = try await ServiceFixture() }

    @Test func `A refusal also applies if the app sends another client ID`() async throws {
        try await fixture.authorize(allow: false)
        #expect(try await fixture.authorizeAgain(client: "notes-again") == nil)
        #expect(try fixture.questions.fetchOpenQuestions().isEmpty)
    }

    @Test func `A refusal also applies to requests for more protocols or fewer protocols`()
        async throws
    {
        try await fixture.authorize(allow: false)
        #expect(try await fixture.authorizeAgain(ServiceFixture.files + ServiceFixture.other) == nil)
        try await fixture.authorize(
            ServiceFixture.files + ServiceFixture.other, for: fixture.app(2), allow: false)
        #expect(try await fixture.authorizeAgain(ServiceFixture.files, for: fixture.app(2)) == nil)
        #expect(try fixture.questions.fetchOpenQuestions().isEmpty)
    }

    @Test func `A refusal does not apply to requests for other protocols or to other apps`() async throws {
        try await fixture.authorize(allow: false)
        #expect(try await fixture.authorize(ServiceFixture.other).count == 1)
        #expect(try await fixture.authorize(for: fixture.app(2)).count == 1)
    }

    @Test func `A refusal remains valid even after many other requests`() async throws {
        try await fixture.authorize(allow: false)
        let app = try #require(try provider.grantRegister.fetchAll().first).app
        for _ in 1...150 { _ = try provider.grantRegister.addRequest(from: app, for: ["org.example.flood"]) }
        #expect(try await fixture.authorizeAgain() == nil && fixture.questions.fetchOpenQuestions().isEmpty)
    }

    @Test func `A refusal remains valid even if no user is signed in`() async throws {
        let unit = try #require(fixture.unit("me"))
        _ = try await unit.requireSignIn().signOut(within: .zero)
        #expect(try await fixture.authorize(allow: false).isEmpty)
        #expect(try await fixture.authorizeAgain() == nil && fixture.questions.fetchOpenQuestions().isEmpty)
    }

    @Test func `The user can delete an expired request without answering it, so that the app can ask again`()
        async throws
    {
        let silent = Task { try await provider.authorizeProtocols(fixture.call(), for: fixture.app()) }
        try await eventually("the timer of the question is set") {
            fixture.fixture.time.sleeps.contains(.seconds(120))
        }
        fixture.fixture.time.pass(.seconds(120))
        #expect(try await silent.value.services.isEmpty)
        let lost = try provider.revokeGrants(of: fixture.app().description, isDryRun: false)
        #expect(lost?.map(\.english) == ["the unanswered request from Notes, so that Notes can ask again"])
        #expect(try await fixture.authorize().count == 1)
    }

    // MARK: - Hosts

    @Test
    func `The service description is requested directly if a host returns a web page instead of a list`()
        async throws
    {
        let other = try ScriptedService()
        other.state.withLock {
            $0.list = "<!doctype html><title>Not here</title>"
            $0.document = ScriptedService.description(of: "Archive", at: other.url)
        }
        #expect(
            try await provider.discoverServices(at: other.url, account: nil).services.map(\.name) == [
                "Archive"
            ])
    }

    @Test func `The error for an unreadable service list contains the reason`() async throws {
        let other = try ScriptedService()
        other.state.withLock {
            $0.document = "{"
            $0.list = String(repeating: "application/x-rsd+json; /rsd.json?\n", count: 8000)
        }
        await #expect(throws: InvalidResponse.self) {
            try await asClient { try await provider.discoverServices(at: other.url, account: nil) }
        }
    }
}
