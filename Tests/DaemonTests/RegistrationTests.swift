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

/// Tests with an API that may refuse to register devices.
@MainActor
struct RegistrationTests {
    /// Returns an API. `answers`: the status lines of the responses to successive registrations; the last
    /// line is repeated. `lets`: whether the API accepts requests without a token.
    private func api(_ answers: String..., lets: Bool = true) throws -> ScriptedAPI {
        let guarded: ScriptedAPI.Responder = { connection, request, _ in
            guard !lets, request.values(of: "X-Device-Token") != ["token"] else { return false }
            return connection.answer("401 Unauthorized", body: #"{"error":"no token"}"#)
        }
        return try ScriptedAPI(
            [
                ScriptedAPI.register: { connection, _, asked in
                    let status = answers[min(asked, answers.count - 1)]
                    let isGiven = status.hasPrefix("2")
                    return connection.answer(status, body: isGiven ? #"{"device_token":"token"}"# : "{}")
                },
                ScriptedAPI.list: guarded,
                ScriptedAPI.message: guarded,
            ], conversations: ["c"])
    }

    @Test(arguments: ["404 Not Found", "405 Method Not Allowed", "501 Not Implemented"])
    func `If the API does not support registration, a device is identified by its App ID and device ID`(
        _ status: String
    )
        async throws
    {
        let api = try api(status)
        let fixture = try IngestFixture(.never)
        let unit = try fixture.unit(at: api.url)
        try await running(unit.feed.run) {
            try await fixture.time.advance(until: "the API is polled several times") {
                api.requestCount(of: ScriptedAPI.list) > 3
            }
            #expect(unit.feed.status.state == .connected)
            #expect(try unit.registration.obstacle?.cause == .unsupported)
            #expect(unit.authentication == .authenticated, "the API needs no token")
        }
        #expect(
            api.requestCount(of: ScriptedAPI.register) == 1, "one registration, not one before each request")
    }

    @Test(arguments: ["403 Forbidden", "500 Internal Server Error", "400 Bad Request", "204 No Content"])
    func `The account connects even if its registration is refused`(_ status: String) async throws {
        let api = try api(status)
        let fixture = try IngestFixture()
        defer { withExtendedLifetime(fixture) {} }
        let unit = try fixture.unit(at: api.url)
        try await running(unit.feed.run) {
            try await eventually("the feed is connected") { unit.feed.status.state == .connected }
        }
        #expect(try unit.registration.obstacle?.cause == .refused)
    }

    @Test func `A refused registration is retried`() async throws {
        let api = try api("403 Forbidden", "503 Service Unavailable", "200 OK")
        let fixture = try IngestFixture(.never)
        let unit = try fixture.unit(at: api.url, random: 0)
        try await running(unit.feed.run) {
            try await eventually("the feed is connected") { unit.feed.status.state == .connected }
            try await running({ try await unit.feed.authorizer.runPeriodicWork(using: unit.feed.client) }) {
                try await fixture.time.advance(until: "the device is registered") {
                    try unit.registration.authentication == .authenticated
                }
            }
        }
        #expect(try unit.registration.obstacle == nil)
    }

    @Test func `An API that requires a token but does not issue tokens is treated as an outage`()
        async throws
    {
        let api = try api("403 Forbidden", "500 Internal Server Error", "200 OK", lets: false)
        let fixture = try IngestFixture(.never)
        let unit = try fixture.unit(at: api.url, random: 0)
        try await running(unit.feed.run) {
            try await eventually("the feed is offline") { unit.feed.status.state == .offline }
            #expect(unit.feed.status.reason?.english.contains("register this device") == true)
            try await fixture.time.advance(until: "the feed is connected") {
                unit.feed.status.state == .connected
            }
        }
    }

    @Test(arguments: [true, false])
    func `A message is retried if the device could not register`(_ lets: Bool) async throws {
        let api = try api("403 Forbidden", "403 Forbidden", "200 OK", lets: lets)
        let fixture = try IngestFixture()
        let outbox = try fixture.unit(at: api.url, random: 0).outbox
        let id = try outbox.enqueue(.message("words"), in: "c")
        try await running(outbox.run) {
            guard !lets else {
                return try await eventually("the message is sent") {
                    try fixture.store.read { try $0.outbox.findItem(id) } == nil
                }
            }
            try await eventually("the message was tried") {
                try fixture.store.read { try $0.outbox.findItem(id) }.map { $0.attempts > 0 } ?? true
            }
            #expect(try fixture.store.read { try $0.outbox.findItem(id) }?.state != .failed)
        }
    }

    @Test func `A refused token is deleted if the API no longer supports registration`() async throws {
        let api = try ScriptedAPI([
            ScriptedAPI.register: { connection, _, asked in
                asked == 0
                    ? connection.answer(body: #"{"device_token":"token"}"#)
                    : connection.answer("404 Not Found")
            },
            ScriptedAPI.list: { connection, request, _ in
                !request.values(of: "X-Device-Token").isEmpty
                    && connection.answer("401 Unauthorized", body: #"{"error":"what is this?"}"#)
            },
        ])
        let fixture = try IngestFixture()
        defer { withExtendedLifetime(fixture) {} }
        let unit = try fixture.unit(at: api.url)
        try await running(unit.feed.run) {
            try await eventually("the feed is connected") { unit.feed.status.state == .connected }
        }
    }

    @Test func `A captive portal does not delete a device's token if the API does not support registration`()
        async throws
    {
        let api = try ScriptedAPI([
            ScriptedAPI.register: { connection, _, asked in
                asked == 0
                    ? connection.answer(body: #"{"device_token":"token"}"#)
                    : connection.answer("404 Not Found", body: "<html>Log in</html>")
            },
            ScriptedAPI.list: { connection, request, asked in
                if asked == 0 { return connection.answer("401 Unauthorized", body: "<html>Log in</html>") }
                return request.values(of: "X-Device-Token").isEmpty
                    && connection.answer("401 Unauthorized", body: #"{"error":"who are you?"}"#)
            },
        ])
        let fixture = try IngestFixture()
        defer { withExtendedLifetime(fixture) {} }
        let unit = try fixture.unit(at: api.url, random: 0)
        try await running(unit.feed.run) {
            try await eventually("the feed is connected") { unit.feed.status.state == .connected }
        }
    }
}
