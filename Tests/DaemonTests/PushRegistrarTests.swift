import Config
import CutieAPI
import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

@MainActor
struct PushRegistrarTests {
    private static let register = "POST /v1/notifications/register"
    private static let unregister = "DELETE /v1/notifications/unregister"
    private static let token = PushToken(rawValue: String(repeating: "ab", count: 20))

    private nonisolated static let busyForAnHour = ScriptedAPI.refusing(
        "429 Too Many Requests", "Retry-After: 3600", first: 1)

    private let fixture: IngestFixture

    init() throws { fixture = try IngestFixture(.never) }

    @Test func `A push request that a busy server refused is sent again while the stream stays open`()
        async throws
    {
        let busy = ScriptedAPI.refusing("503 Service Unavailable", "Retry-After: 1", first: 1)
        let api = try ScriptedAPI([Self.register: busy, Self.unregister: busy])
        try await fixture.runConnected(with: api) { unit in
            #expect(try await unit.push.setPushToken(Self.token, within: .seconds(5)))
            fixture.time.pass(.milliseconds(1100))
            try await eventually("the push token is registered") {
                try unit.push.readRequest()?.state == "registered"
            }
            #expect(try await unit.push.setPushToken(nil, within: .seconds(5)))
            fixture.time.pass(.milliseconds(1100))
            try await eventually("the push token is unregistered") { try unit.push.readRequest() == nil }
            #expect(try api.requestCount(of: ScriptedAPI.stream) == 1 && unit.push.failure == nil)
            #expect(api.requestCount(of: Self.register) == 2 && api.requestCount(of: Self.unregister) == 2)
        }
    }

    @Test func `A reconnect does not resend a push token before Retry-After has expired`() async throws {
        let api = try ScriptedAPI([Self.register: Self.busyForAnHour], conversations: ["c"])
        try await fixture.runConnected(with: api) { unit in
            #expect(try await unit.push.setPushToken(Self.token, within: .seconds(5)))
            unit.feed.reconnect()
            try await unit.waitUntilConnected(api, streams: 2)
            let id = try unit.outbox.enqueue(.message("words"), in: "c")
            try await eventually("a later message is sent") {
                try fixture.store.read { try $0.outbox.findItem(id) } == nil
            }
            #expect(api.requestCount(of: Self.register) == 1)
            // A registration that the user requests explicitly is sent immediately, despite the pending
            // delay.
            #expect(try await !unit.push.setPushToken(Self.token, within: .seconds(5)))
        }
    }

    @Test func `A reconnect during a push registration does not shorten its Retry-After delay`()
        async throws
    {
        let gate = Gate()
        let api = try ScriptedAPI(
            [
                Self.register: { connection, request, asked in
                    gate.pass()
                    return Self.busyForAnHour(connection, request, asked)
                }
            ], conversations: ["c"])
        try await fixture.runConnected(with: api) { unit in
            let push = try unit.push
            async let isPending = push.setPushToken(Self.token, within: .seconds(5))
            try await eventually("the push token is being registered") {
                api.requestCount(of: Self.register) >= 1
            }
            push.registerAfterReconnect()
            gate.open()
            #expect(try await isPending)
            let id = try unit.outbox.enqueue(.message("words"), in: "c")
            try await eventually("a later message is sent") {
                try fixture.store.read { try $0.outbox.findItem(id) } == nil
            }
            #expect(api.requestCount(of: Self.register) == 1)
        }
    }
}
