import Config
import ControlAPI
import CutieAPI
import Store
import TestSupport
import Testing

@testable import Daemon

/// A service that may not register devices.
@MainActor
struct RegistrationTests {
    private static let register = "POST /v1/device/register"
    private static let message = "POST /v1/conversations/c/messages"

    /// `answers` to registrations in their order, the last one for ever; `lets` whom it lets without a token.
    private func api(_ answers: String..., lets: Bool = true) throws -> FakeAPI {
        let guarded: FakeAPI.Answer = { connection, request, _ in
            guard !lets, request.values(of: "X-Device-Token") != ["token"] else { return false }
            return connection.answer("401 Unauthorized", body: #"{"error":"no token"}"#)
        }
        return try FakeAPI([
            Self.register: { connection, _, asked in
                let status = answers[min(asked, answers.count - 1)]
                let isGiven = status.hasPrefix("2")
                return connection.answer(status, body: isGiven ? #"{"device_token":"token"}"# : "{}")
            },
            FakeAPI.list: guarded,
            Self.message: { connection, request, asked in
                if guarded(connection, request, asked) { return true }
                return connection.answer(
                    body: #"{"message_id":"m1","conversation_id":"c","sender_type":"user","message":"words"}"#
                )
            },
        ])
    }

    @Test(arguments: ["404 Not Found", "405 Method Not Allowed", "501 Not Implemented"])
    func `Where no device can register, App ID and device id are enough`(_ status: String) async throws {
        let api = try api(status)
        let desk = try Desk()
        let unit = try desk.unit(ContinuousClock(), at: api.url, every: .milliseconds(20))
        try await running(unit.feed.run) {
            try await eventually("it is polled again and again") { api.asked(FakeAPI.list) > 3 }
            #expect(unit.feed.status.state == .connected)
            #expect(unit.feed.authorizer.obstacle?.isLacking == true)
        }
        #expect(api.asked(Self.register) == 1, "it is not asked before each request")
    }

    @Test(arguments: ["403 Forbidden", "500 Internal Server Error", "400 Bad Request", "204 No Content"])
    func `A registration that is refused keeps no conversation from working`(_ status: String) async throws {
        let api = try api(status)
        let unit = try Desk().unit(ContinuousClock(), at: api.url)
        try await running(unit.feed.run) {
            try await eventually("connected") { unit.feed.status.state == .connected }
        }
        #expect(unit.feed.authorizer.obstacle?.isLacking == false)
    }

    @Test func `A registration that was refused is asked for again by itself`() async throws {
        let api = try api("403 Forbidden", "503 Service Unavailable", "200 OK")
        let unit = try Desk().unit(ContinuousClock(), at: api.url, random: 0)
        try await running(unit.feed.run) {
            try await eventually("connected") { unit.feed.status.state == .connected }
            try await running({ try await unit.feed.authorizer.run(by: unit.feed.client) }) {
                try await eventually("registered") { unit.feed.authorizer.isRegistered }
            }
        }
        #expect(unit.feed.authorizer.obstacle == nil)
    }

    @Test func `An API that wants a token and gives none is an outage, and no refusal of the account`()
        async throws
    {
        let api = try api("403 Forbidden", "500 Internal Server Error", "200 OK", lets: false)
        let unit = try Desk().unit(ContinuousClock(), at: api.url, random: 0)
        try await running(unit.feed.run) {
            try await eventually("offline") { unit.feed.status.state == .offline }
            #expect(unit.feed.status.reason?.contains("does not register") == true)
            try await eventually("connected") { unit.feed.status.state == .connected }
        }
    }

    @Test(arguments: [true, false])
    func `Words are never given up because the account cannot register`(_ lets: Bool) async throws {
        let api = try api("403 Forbidden", "403 Forbidden", "200 OK", lets: lets)
        let desk = try Desk()
        let outbox = try desk.unit(ContinuousClock(), at: api.url, random: 0).outbox
        let id = try outbox.enqueue(.message("words"), in: "c")
        try await running(outbox.run) {
            guard !lets else {
                return try await eventually("it is sent") {
                    try desk.store.read { try $0.outboxItem(id) } == nil
                }
            }
            try await eventually("it was tried") {
                try desk.store.read { try $0.outboxItem(id) }.map { $0.attempts > 0 } ?? true
            }
            #expect(try desk.store.read { try $0.outboxItem(id) }?.state != .failed)
        }
    }

    @Test func `A token that a service without registration refuses is left out`() async throws {
        let api = try FakeAPI([
            Self.register: { connection, _, asked in
                asked == 0
                    ? connection.answer(body: #"{"device_token":"token"}"#)
                    : connection.answer("404 Not Found")
            },
            FakeAPI.list: { connection, request, _ in
                !request.values(of: "X-Device-Token").isEmpty
                    && connection.answer("401 Unauthorized", body: #"{"error":"what is this?"}"#)
            },
        ])
        let unit = try Desk().unit(ContinuousClock(), at: api.url)
        try await running(unit.feed.run) {
            try await eventually("connected") { unit.feed.status.state == .connected }
        }
    }

    @Test func `A page in the way does not take the token, though it knows no registration`() async throws {
        let api = try FakeAPI([
            Self.register: { connection, _, asked in
                asked == 0
                    ? connection.answer(body: #"{"device_token":"token"}"#)
                    : connection.answer("404 Not Found", body: "<html>Log in</html>")
            },
            FakeAPI.list: { connection, request, asked in
                if asked == 0 { return connection.answer("401 Unauthorized", body: "<html>Log in</html>") }
                return request.values(of: "X-Device-Token").isEmpty
                    && connection.answer("401 Unauthorized", body: #"{"error":"who are you?"}"#)
            },
        ])
        let unit = try Desk().unit(ContinuousClock(), at: api.url, random: 0)
        try await running(unit.feed.run) {
            try await eventually("connected") { unit.feed.status.state == .connected }
        }
    }
}
