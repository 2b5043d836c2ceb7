import Config
import ControlAPI
import CutieAPI
import Domain
import Reasons
import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

@MainActor
struct AccountSupervisorTests {
    private let gate = Gate()
    private let endedStreams = Shared(0)
    private let fixture: IngestFixture

    init() throws { fixture = try IngestFixture(.never) }

    @Test func `An account that requires a sign-in has no device and sends no request before the sign-in`()
        async throws
    {
        let api = try ScriptedAPI()
        let accounts = AccountRegistry(log: fixture.log)
        let supervisor = try fixture.supervisor(of: accounts)
        var staff = AccountConfiguration(name: "desk", kind: .staff)
        var identity = AccountConfiguration(name: "me", kind: .identity)
        (staff.apiURL, identity.apiURL) = (try APIAddress(api.url), try APIAddress(api.url))
        try supervisor.applyConfigurations([staff, identity])
        #expect(accounts.units.map { AccountKind($0.account.kind) } == [.staff, .identity])
        #expect(accounts.units.allSatisfy { $0.device == nil && $0.authentication == .unauthenticated })
        try await running(supervisor.run) {
            try await eventually("the refusal") { accounts.units[0].feed.status.state == .stopped }
            #expect(accounts.units[0].feed.status.reason?.english.contains("you are not signed in") == true)
            // An identity account receives no messages, so its feed never starts.
            #expect(accounts.units[1].feed.status.state == .starting)
        }
        #expect(api.requestCount(of: "GET ") == 0 && api.requestCount(of: "POST ") == 0)
        // An account whose feed never starts is reported as `stopped`. Otherwise the account and the whole
        // daemon would be reported as `starting` forever.
        let views = try await fixture.status(of: accounts).getStatus(GetStatus()).accounts
        #expect(views[1].state == .stopped && views[1].reason?.contains("you are not signed in") == true)
    }

    @Test func `A reload does not cancel a message in flight, and the caller gets the result`()
        async throws
    {
        try await sending { unit, id, api, reload in
            try reload([unit.renamed])
            try await eventually("the end of the previous feed") { endedStreams.value >= 1 }
            gate.open()
            let outcome = try await unit.outbox.waitForOutcome(of: id, within: .seconds(10))
            guard case .sent("c", "m1") = outcome else { throw Unexpected(outcome: outcome) }
            try await eventually("the next feed") { api.requestCount(of: ScriptedAPI.stream) >= 2 }
            #expect(api.requestCount(of: ScriptedAPI.message) == 1)
        }
    }

    @Test
    func `A reload cancels an unanswered request, and the caller gets the result of the retried request`()
        async throws
    {
        try await sending { unit, id, api, reload in
            try reload([unit.renamed])
            try await eventually("the end of the deliveries is awaited") {
                fixture.time.sleeps.contains(.seconds(5))
            }
            fixture.time.pass(.seconds(5))
            try await eventually("another request arrives") { api.requestCount(of: ScriptedAPI.message) >= 2 }
            let waiting = Task { try await unit.outbox.waitForOutcome(of: id, within: .seconds(10)) }
            await Task.yield()
            gate.open()
            let outcome = try await waiting.value
            guard case .sent("c", "m1") = outcome else { throw Unexpected(outcome: outcome) }
        }
    }

    @Test func `A message in flight is removed from the outbox when its account is removed`() async throws {
        try await sending { unit, id, api, reload in
            try reload([])
            try await eventually("the end of the feed") { endedStreams.value >= 1 }
            gate.open()
            guard case .sent = try await unit.outbox.waitForOutcome(of: id, within: .seconds(10)) else {
                throw Unexpected()
            }
            #expect(try fixture.store.read { try $0.outbox.findItem(id) } == nil)
        }
    }

    /// Runs `body` while a message is in flight and a stream is open. Passes `body` a function that applies
    /// a new configuration.
    private func sending(
        _ body:
            @MainActor (
                AccountUnit, String, ScriptedAPI, ([AccountConfiguration]) throws -> Void
            ) async throws -> Void
    ) async throws {
        let api = try ScriptedAPI(
            [
                ScriptedAPI.stream: { [endedStreams] connection, _, _ in
                    connection.beginStream()
                    connection.waitForClose()
                    endedStreams.value += 1
                    return true
                },
                ScriptedAPI.message: { [gate] _, _, _ in
                    gate.pass()
                    return false
                },
            ], conversations: ["c"])
        let accounts = AccountRegistry(log: fixture.log)
        let supervisor = try fixture.supervisor(of: accounts)
        try supervisor.applyConfigurations([.sample(at: api.url)])
        try await running(supervisor.run) {
            defer { gate.open() }
            let unit = try #require(accounts.units.first)
            try await eventually("a stream is opened") { api.requestCount(of: ScriptedAPI.stream) >= 1 }
            let id = try unit.outbox.enqueue(.message("words"), in: "c")
            try await eventually("a message on its way") { api.requestCount(of: ScriptedAPI.message) >= 1 }
            try await body(unit, id, api) { try supervisor.applyConfigurations($0) }
        }
    }
}

@MainActor
extension AccountUnit {
    /// This account's configuration with another user name.
    fileprivate var renamed: AccountConfiguration {
        var configuration = account.configuration
        configuration.userName = "Bob"
        return configuration
    }
}

private struct Unexpected: Error { var outcome: Outbox.Outcome? }
