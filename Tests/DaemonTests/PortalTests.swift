import Config
import ControlAPI
import CutieAPI
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Daemon
@testable import Store

/// What stops an account is the API's word, and even that not for ever.
@MainActor
struct PortalTests {
    private static let register = "POST /v1/device/register"
    private nonisolated static let login = "<html><h1>Log in to the network</h1></html>"

    /// Answers so often before it is well, in the way of `said`.
    private static func first(_ times: Int, _ status: String, _ body: String) -> FakeAPI.Answer {
        { connection, _, asked in
            asked < times && connection.answer(status, body: body)
        }
    }

    @Test(
        arguments: ["403 Forbidden", "401 Unauthorized"],
        ["", PortalTests.login, #"{"message":"who are you"}"#])
    func `A network that wants a login is an outage, and stops nothing`(
        _ status: String, _ body: String
    ) async throws {
        let asked = Mutex(0)
        let portal: FakeAPI.Answer = { connection, _, _ in
            let number = asked.withLock {
                $0 += 1
                return $0
            }
            return number < 6 && connection.answer(status, body: body)
        }
        let api = try FakeAPI([FakeAPI.list: portal, Self.register: portal])
        let desk = try Desk()
        let feed = try desk.unit(ContinuousClock(), at: api.url, random: 0).feed
        try await running(feed.run) {
            try await eventually("connected") { feed.status.state == .connected }
        }
        #expect(try desk.logged("state").allSatisfy { $0.state != "stopped" })
    }

    @Test func `A network that wants a login costs no device its token`() async throws {
        let isPortal = Mutex(false)
        let tokens = Mutex<[String]>([])
        let portal: FakeAPI.Answer = { connection, request, asked in
            if isPortal.withLock({ $0 }) { return connection.answer("401 Unauthorized", body: Self.login) }
            if request.line.hasPrefix("GET") {
                tokens.withLock { $0 += request.values(of: "X-Device-Token") }
            }
            return connection.answer(
                body: #"{"device_token":"token-\#(asked)","conversations":[],"total_unread":0}"#)
        }
        let api = try FakeAPI([Self.register: portal, FakeAPI.list: portal])
        let desk = try Desk()
        let machine = try Machine(secrets: .file, directory: desk.directory.path, environment: [:])
        func unit() throws -> AccountUnit {
            try desk.unit(
                ContinuousClock(), at: api.url, every: .milliseconds(100), random: 0, machine: machine)
        }
        let feed = try unit().feed
        try await running(feed.run) {
            try await eventually("connected") { feed.status.state == .connected }
            isPortal.withLock { $0 = true }
            try await eventually("offline") { feed.status.state == .offline }
            let asked = api.asked(Self.register)
            try await eventually("registering was tried") { api.asked(Self.register) > asked }
        }
        isPortal.withLock { $0 = false }
        tokens.withLock { $0 = [] }
        let asked = api.asked(Self.register)
        // A start later, too.
        let next = try unit().feed
        try await running(next.run) {
            try await eventually("connected") { next.status.state == .connected }
        }
        #expect(api.asked(Self.register) == asked)
        #expect(tokens.withLock { Set($0) } == ["token-0"])
    }

    @Test func `A device whose token the API revoked has a new one, and shows the old one to nobody`()
        async throws
    {
        let shown = Mutex<[String]>([])
        let api = try FakeAPI([
            Self.register: { connection, request, asked in
                shown.withLock { $0 += request.values(of: "X-Device-Token") }
                return connection.answer(body: #"{"device_token":"token-\#(asked)"}"#)
            },
            FakeAPI.list: { connection, request, _ in
                request.values(of: "X-Device-Token") != ["token-1"]
                    && connection.answer("401 Unauthorized")
            },
        ])
        let feed = try Desk().unit(ContinuousClock(), at: api.url, random: 0).feed
        try await running(feed.run) {
            try await eventually("connected") { feed.status.state == .connected }
        }
        #expect(api.asked(Self.register) == 2)
        #expect(shown.withLock { $0 }.isEmpty)
    }

    @Test(arguments: ["", #"{"error":"revoked"}"#])
    func `A token that was just made and is refused is the API's word, with or without one`(
        _ body: String
    ) async throws {
        let api = try FakeAPI([FakeAPI.list: Self.first(.max, "401 Unauthorized", body)])
        let feed = try Desk().unit(ContinuousClock(), at: api.url, random: 0).feed
        try await running(feed.run) {
            try await eventually("stopped") { feed.status.state == .stopped }
        }
        #expect(api.asked(FakeAPI.list) == 2)
    }

    @Test func `What the API stopped looks again when the network changes`() async throws {
        let api = try FakeAPI([FakeAPI.list: Self.first(1, "403 Forbidden", #"{"error":"not you"}"#)])
        let feed = try Desk().unit(ContinuousClock(), at: api.url, random: 0).feed
        try await running(feed.run) {
            try await eventually("stopped") { feed.status.state == .stopped }
            #expect(feed.status.reason == "the server answered 403: not you")
            let next = try #require(feed.status.nextTry) - feed.surroundings.uptime
            #expect(next > .seconds(3500) && next <= .seconds(3600))
            feed.revalidate()
            try await eventually("connected") { feed.status.state == .connected }
            #expect(feed.status.nextTry == nil)
        }
    }

    @Test func `What the API stopped looks again once an hour, and that is no news`() async throws {
        let api = try FakeAPI([FakeAPI.list: Self.first(3, "403 Forbidden", #"{"error":"not you"}"#)])
        let desk = try Desk()
        let waits = Waits()
        let feed = try desk.feed(waits, at: api.url)
        try await running(feed.run) {
            try await eventually("connected") { feed.status.state == .connected }
        }
        #expect(waits.all.count { $0 == .seconds(3600) } == 3)
        #expect(try desk.logged("state").count { $0.state == "stopped" } == 1)
    }

    @Test func `Words that a network refuses are not given up`() async throws {
        let api = try FakeAPI([
            "POST /v1/conversations/c/messages": { connection, _, asked in
                let sent =
                    #"{"message_id":"m1","conversation_id":"c","sender_type":"user","message":"words"}"#
                return asked < 2
                    ? connection.answer("403 Forbidden", body: Self.login) : connection.answer(body: sent)
            }
        ])
        let desk = try Desk()
        let unit = try desk.unit(ContinuousClock(), at: api.url, random: 0)
        let id = try unit.outbox.enqueue(.message("words"), in: "c")
        try await running(unit.outbox.run) {
            for _ in 0..<2 {
                let before = try #require(try desk.store.read { try $0.outboxItem(id) }).attempts
                try await eventually("refused") {
                    try desk.store.read { try $0.outboxItem(id) }?.attempts ?? .max > before
                }
                try unit.outbox.sendNow()
            }
            try await eventually("sent") { try desk.store.read { try $0.outboxItem(id) } == nil }
        }
    }
}
