import Config
import ControlAPI
import CutieAPI
import Domain
import Glibc
import Reasons
import Synchronization
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@testable import Store

/// Tests that only responses from the API itself can stop an account, and that the feed of a stopped account
/// reconnects.
@MainActor
struct PortalTests {
    private nonisolated static let login = "<html><h1>Log in to the network</h1></html>"

    @Test(
        arguments: ["403 Forbidden", "401 Unauthorized"],
        ["", PortalTests.login, #"{"message":"who are you"}"#])
    func `A captive portal is treated as an outage and does not stop an account`(
        _ status: String, _ body: String
    ) async throws {
        let asked = Mutex(0)
        let portal: ScriptedAPI.Responder = { connection, _, _ in
            let number = asked.withLock {
                $0 += 1
                return $0
            }
            return number < 6 && connection.answer(status, body: body)
        }
        let api = try ScriptedAPI([ScriptedAPI.list: portal, ScriptedAPI.register: portal])
        let fixture = try IngestFixture(.atOnce)
        let feed = try fixture.unit(at: api.url, random: 0).feed
        try await running(feed.run) {
            try await eventually("the feed is connected") { feed.status.state == .connected }
        }
        #expect(try fixture.logged(.state).allSatisfy { $0.state != "stopped" })
    }

    @Test func `A captive portal does not delete the token of a device`() async throws {
        let isPortal = Mutex(false)
        let tokens = Mutex<[String]>([])
        let portal: ScriptedAPI.Responder = { connection, request, asked in
            if isPortal.withLock({ $0 }) { return connection.answer("401 Unauthorized", body: Self.login) }
            if request.line.hasPrefix("GET") {
                tokens.withLock { $0 += request.values(of: "X-Device-Token") }
            }
            return connection.answer(
                body: #"{"device_token":"token-\#(asked)","conversations":[],"total_unread":0}"#)
        }
        let api = try ScriptedAPI([ScriptedAPI.register: portal, ScriptedAPI.list: portal])
        let fixture = try IngestFixture(.never)
        let machine = try Machine(secrets: .file, directory: fixture.directory.path, environment: [:])
        func unit() throws -> AccountUnit {
            try fixture.unit(at: api.url, random: 0, machine: machine)
        }
        let feed = try unit().feed
        try await running(feed.run) {
            try await eventually("the feed is connected") { feed.status.state == .connected }
            isPortal.withLock { $0 = true }
            try await fixture.time.advance(until: "the feed is offline") { feed.status.state == .offline }
            let asked = api.requestCount(of: ScriptedAPI.register)
            try await fixture.time.advance(until: "a registration is tried") {
                api.requestCount(of: ScriptedAPI.register) > asked
            }
        }
        isPortal.withLock { $0 = false }
        tokens.withLock { $0 = [] }
        let asked = api.requestCount(of: ScriptedAPI.register)
        // After a restart, the device uses its stored token and does not register again.
        let next = try unit().feed
        try await running(next.run) {
            try await eventually("the feed is connected") { next.status.state == .connected }
        }
        #expect(api.requestCount(of: ScriptedAPI.register) == asked)
        #expect(tokens.withLock { Set($0) } == ["token-0"])
    }

    @Test func `A device whose token is revoked gets a new token and no longer sends the revoked token`()
        async throws
    {
        let shown = Mutex<[String]>([])
        let api = try ScriptedAPI([
            ScriptedAPI.register: { connection, request, asked in
                shown.withLock { $0 += request.values(of: "X-Device-Token") }
                return connection.answer(body: #"{"device_token":"token-\#(asked)"}"#)
            },
            ScriptedAPI.list: { connection, request, _ in
                request.values(of: "X-Device-Token") != ["token-1"]
                    && connection.answer("401 Unauthorized")
            },
        ])
        let fixture = try IngestFixture(.never)
        defer { withExtendedLifetime(fixture) {} }
        let feed = try fixture.unit(at: api.url, random: 0).feed
        try await running(feed.run) {
            try await eventually("the feed is connected") { feed.status.state == .connected }
        }
        #expect(api.requestCount(of: ScriptedAPI.register) == 2)
        #expect(shown.withLock { $0 }.isEmpty)
    }

    @Test(arguments: ["", #"{"error":"revoked"}"#])
    func `The account stops if the API also refuses the new token, with or without a response body`(
        _ body: String
    ) async throws {
        let api = try ScriptedAPI([ScriptedAPI.list: ScriptedAPI.refusing("401 Unauthorized", body: body)])
        let fixture = try IngestFixture(.never)
        defer { withExtendedLifetime(fixture) {} }
        let feed = try fixture.unit(at: api.url, random: 0).feed
        try await running(feed.run) {
            try await eventually("the feed is stopped") { feed.status.state == .stopped }
        }
        #expect(api.requestCount(of: ScriptedAPI.list) == 2)
    }

    @Test func `The feed of a stopped account reconnects when the network changes`() async throws {
        let api = try ScriptedAPI([
            ScriptedAPI.list: ScriptedAPI.refusing("403 Forbidden", body: #"{"error":"not you"}"#, first: 1)
        ])
        let fixture = try IngestFixture(.never)
        defer { withExtendedLifetime(fixture) {} }
        let feed = try fixture.unit(at: api.url, random: 0).feed
        try await running(feed.run) {
            try await eventually("the feed is stopped") { feed.status.state == .stopped }
            #expect(feed.status.reason?.english == "the server returned 403: not you")
            let next = try #require(feed.status.nextAttempt) - feed.runtime.uptime
            #expect(next == .seconds(3600))
            feed.reconnect()
            try await eventually("the feed is connected") { feed.status.state == .connected }
            #expect(feed.status.nextAttempt == nil)
        }
    }

    /// The flow `.atOnce` simulates a slow keyring: the time limit for the keyring expires before the keyring
    /// responds.
    @Test(arguments: [ManualTime.Flow.whenIdle(upTo: .seconds(7200)), .atOnce])
    func `The feed of a stopped account reconnects once an hour and shows no notification`(
        flow: ManualTime.Flow
    ) async throws {
        let api = try ScriptedAPI([
            ScriptedAPI.list: ScriptedAPI.refusing("403 Forbidden", body: #"{"error":"not you"}"#, first: 3)
        ])
        let fixture = try IngestFixture(flow)
        let feed = try fixture.unit(at: api.url).feed
        try await running(feed.run) {
            try await eventually("the feed is connected") { feed.status.state == .connected }
        }
        // Checks only that one sleep was long: the number of sleeps varies, because an interrupted sleep
        // starts again and other tasks also sleep.
        #expect(fixture.time.waits.contains { $0 > .seconds(1800) })
        let states = try fixture.logged(.state).map(\.state)
        #expect(states.count { $0 == "stopped" } == 1, "\(states)")
    }

    @Test func `A message is sent again after a captive portal has rejected the request`() async throws {
        let api = try ScriptedAPI(
            [
                ScriptedAPI.message: ScriptedAPI.refusing("403 Forbidden", body: Self.login, first: 2)
            ], conversations: ["c"])
        let fixture = try IngestFixture(.never)
        let unit = try fixture.unit(at: api.url, random: 0)
        let id = try unit.outbox.enqueue(.message("words"), in: "c")
        try await running(unit.outbox.run) {
            for _ in 0..<2 {
                let before = try #require(try fixture.store.read { try $0.outbox.findItem(id) }).attempts
                try await eventually("the message is refused") {
                    try fixture.store.read { try $0.outbox.findItem(id) }?.attempts ?? .max > before
                }
                try unit.outbox.sendAfterReconnect()
            }
            try await eventually("the message is sent") {
                try fixture.store.read { try $0.outbox.findItem(id) } == nil
            }
        }
    }
}
