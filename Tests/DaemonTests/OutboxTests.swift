import CutieAPI
import FeedPolicy
import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

@MainActor
struct OutboxTests {
    /// An error body in the API's format, in contrast to an error from a proxy or gateway.
    private static let word = #"{"error":"not now"}"#
    private static let busyForAnHour = ScriptedAPI.refusing(
        "429 Too Many Requests", "Retry-After: 3600", first: 1)

    private let fixture: IngestFixture

    init() throws { fixture = try IngestFixture(.never) }

    private func item(_ id: String) throws -> OutboxRecord? {
        try fixture.store.read { try $0.outbox.findItem(id) }
    }

    private func waitUntilSent(_ id: String) async throws {
        try await eventually("the message is sent") { try item(id) == nil }
    }

    @Test func `A message that the API refused with 401 is sent after a reconnect`()
        async throws
    {
        let refusal = ScriptedAPI.refusing("401 Unauthorized", body: Self.word, first: 2)
        let api = try ScriptedAPI([ScriptedAPI.message: refusal], conversations: ["c"])
        try await fixture.runConnected(with: api) { unit in
            let id = try unit.outbox.enqueue(.message("words"), in: "c")
            try await unit.waitUntilConnected(api, streams: 2)
            fixture.time.pass(.milliseconds(100))
            try await waitUntilSent(id)
            #expect(api.requestCount(of: ScriptedAPI.message) >= 3)
        }
    }

    @Test func `An account whose messages are always refused reconnects with increasing delays`()
        async throws
    {
        let refusal = ScriptedAPI.refusing("401 Unauthorized", body: Self.word)
        let api = try ScriptedAPI([ScriptedAPI.message: refusal, ScriptedAPI.otherMessage: refusal])
        try await fixture.runConnected(with: api, random: 0.999) { unit in
            let first = try unit.outbox.enqueue(.message("words"), in: "c")
            let second = try unit.outbox.enqueue(.message("words"), in: "d")
            try await unit.waitUntilConnected(api, streams: 2)
            // Advances the clock by the backoff of the second message, which is half the backoff of the
            // refused message.
            fixture.time.pass(.milliseconds(500))
            try await unit.waitUntilConnected(api, streams: 3)
            #expect(try item(first)?.attempts == 1)
            #expect(try item(second)?.attempts == 1)
            #expect(unit.outbox.sender.pauses.refusals == 2)
        }
    }

    @Test func `A refused message is delayed, and later messages are sent`() async throws {
        let api = try ScriptedAPI(
            [ScriptedAPI.message: ScriptedAPI.refusing("401 Unauthorized", body: Self.word)],
            conversations: ["d"])
        try await fixture.runConnected(with: api) { unit in
            let refused = try unit.outbox.enqueue(.message("words"), in: "c")
            let other = try unit.outbox.enqueue(.message("words"), in: "d")
            try await unit.waitUntilConnected(api, streams: 2)
            fixture.time.pass(.milliseconds(50))
            try await waitUntilSent(other)
            #expect(try item(refused)?.state == .waiting)
            #expect(unit.outbox.sender.pauses.refusals == 0)
        }
    }

    @Test
    func `A message with Retry-After is not sent earlier after a reconnect, unless the user retries it`()
        async throws
    {
        let api = try ScriptedAPI(
            [
                ScriptedAPI.message: Self.busyForAnHour,
                ScriptedAPI.otherMessage: ScriptedAPI.refusing("503 Service Unavailable", first: 1),
            ], conversations: ["c", "d"])
        try await fixture.runConnected(with: api) { unit in
            let held = try unit.outbox.enqueue(.message("words"), in: "c")
            let other = try unit.outbox.enqueue(.message("words"), in: "d")
            try await eventually("both messages failed") {
                // Wait until the daemon has handled the response: a reconnect before that would not repeat the
                // request. A sent message is no longer in the outbox, because a new connection triggers its
                // retry.
                try item(held)?.attempts == 1 && item(other)?.attempts != 0
            }
            unit.feed.reconnect()
            try await waitUntilSent(other)
            #expect(try #require(item(held)?.nextAttemptAt) >= .base(plus: 540))
            try unit.outbox.retryItem(held)
            try await waitUntilSent(held)
        }
    }

    @Test func `A manual reconnect sends messages that wait for Retry-After`() async throws {
        let api = try ScriptedAPI([ScriptedAPI.message: Self.busyForAnHour], conversations: ["c"])
        try await fixture.runConnected(with: api) { unit in
            let held = try unit.outbox.enqueue(.message("words"), in: "c")
            try await eventually("the message failed") { try item(held)?.attempts == 1 }
            try unit.reconnect()
            try await waitUntilSent(held)
        }
    }
}
