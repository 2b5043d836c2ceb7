import AccessAPI
import ControlAPI
import CutieAPI
import Synchronization
import TestSupport
import Testing

@testable import Access
@testable import AccessServer
@testable import Accounts
@testable import Screen
@testable @_spi(Access) import Store

/// The extent of a refusal, and hosts whose description cannot be read.
@MainActor
struct ServiceRefusalTests {
    private let desk: ServiceDesk
    private var provider: AccessProvider { desk.provider }

    init() async throws { desk = try await ServiceDesk() }

    @Test func `A no cannot be got around by another name of the app`() async throws {
        try await desk.authorize(allow: false)
        #expect(try await desk.again(client: "notes-again") == nil)
        #expect(try desk.questions.open().isEmpty)
    }

    @Test func `A no cannot be got around by asking for more, or for some of it`() async throws {
        try await desk.authorize(allow: false)
        #expect(try await desk.again(ServiceDesk.files + ServiceDesk.other) == nil)
        try await desk.authorize(ServiceDesk.files + ServiceDesk.other, for: desk.app(2), allow: false)
        #expect(try await desk.again(ServiceDesk.files, for: desk.app(2)) == nil)
        #expect(try desk.questions.open().isEmpty)
    }

    @Test func `A no to one thing is none to another one, nor to another app`() async throws {
        try await desk.authorize(allow: false)
        #expect(try await desk.authorize(ServiceDesk.other).count == 1)
        #expect(try await desk.authorize(for: desk.app(2)).count == 1)
    }

    @Test func `A no is remembered however often something else was asked since`() async throws {
        try await desk.authorize(allow: false)
        let app = try #require(try provider.book.all().first).app
        for _ in 1...150 { _ = try provider.book.ask(app, ["org.example.flood"]) }
        #expect(try await desk.again() == nil && desk.questions.open().isEmpty)
    }

    @Test func `A no counts where nobody is signed in, too`() async throws {
        let unit = try #require(desk.unit("me"))
        _ = try await unit.requireSignIn().signOut(within: .zero)
        #expect(try await desk.authorize(allow: false).isEmpty)
        #expect(try await desk.again() == nil && desk.questions.open().isEmpty)
    }

    @Test func `The person lifts what nobody answered, as they lift a no`() async throws {
        let silent = Task { try await provider.authorizeProtocols(desk.call(), for: desk.app()) }
        try await eventually("somebody waits") { desk.desk.time.sleeps.contains(.seconds(120)) }
        desk.desk.time.pass(.seconds(120))
        #expect(try await silent.value.services.isEmpty)
        let lost = try provider.revokeGrant(desk.app().description, isDry: false)
        #expect(lost == ["that nobody answered Notes: it may ask again"])
        #expect(try await desk.authorize().count == 1)
    }

    // MARK: - Hosts

    @Test func `A host that answers with a page for the list is asked for its description`() async throws {
        let other = try ScriptedService()
        other.state.withLock {
            $0.list = "<!doctype html><title>Not here</title>"
            $0.document = ScriptedService.description(of: "Archive", at: other.url)
        }
        #expect(try await provider.discover(other.url, account: nil).services.map(\.name) == ["Archive"])
    }

    @Test func `A list that cannot be read is said to be so`() async throws {
        let other = try ScriptedService()
        other.state.withLock {
            $0.document = "{"
            $0.list = String(repeating: "application/x-rsd+json; /rsd.json?\n", count: 8000)
        }
        await #expect(throws: InvalidResponse.self) { try await provider.discover(other.url, account: nil) }
    }
}
