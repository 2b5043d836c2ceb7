import CutieAPI
import Inbox
import Store
import TestSupport
import Testing

@testable import Daemon

@MainActor
struct OutboxTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private func item(_ id: String) throws -> OutboxRecord? { try desk.store.read { try $0.outboxItem(id) } }

    private func sent(_ id: String) async throws {
        try await eventually("it is sent", within: .seconds(10)) { try item(id) == nil }
    }

    @Test func `Words that are refused although the account is not are sent once it connects anew`()
        async throws
    {
        let api = try FickleAPI([FickleAPI.message: ("401 Unauthorized", [])])
        try await desk.atWork(with: api, now: Surroundings.real.now) { unit in
            let id = try unit.outbox.enqueue(.message("words"), in: "c")
            try await sent(id)
            #expect(api.streams == 2 && api.count(FickleAPI.message) == 3)
        }
    }

    @Test func `An account that connects and whose words are refused again and again does so ever slower`()
        async throws
    {
        let refusal: FickleAPI.Answer = ("401 Unauthorized", [])
        let api = try FickleAPI(
            [FickleAPI.message: refusal, FickleAPI.otherMessage: refusal], persist: true)
        try await desk.atWork(with: api, random: 0.999) { unit in
            let first = try unit.outbox.enqueue(.message("words"), in: "c")
            let second = try unit.outbox.enqueue(.message("words"), in: "d")
            try await unit.connected(api, streams: 3)
            #expect(try item(first)?.attempts == 1)
            #expect(try item(second)?.attempts == 1)
            #expect(unit.outbox.refusals == 2)
        }
    }

    @Test func `Only the words that are refused wait, and those behind them go`() async throws {
        let api = try FickleAPI([FickleAPI.message: ("401 Unauthorized", [])], persist: true)
        try await desk.atWork(with: api) { unit in
            let refused = try unit.outbox.enqueue(.message("words"), in: "c")
            let other = try unit.outbox.enqueue(.message("words"), in: "d")
            try await sent(other)
            #expect(try item(refused)?.state == .waiting)
            #expect(unit.outbox.refusals == 0)
        }
    }

    @Test func `What the server asked to wait waits although the connection is back, unless the person asks`()
        async throws
    {
        let api = try FickleAPI([
            FickleAPI.message: ("429 Too Many Requests", ["Retry-After: 3600"]),
            FickleAPI.otherMessage: ("503 Service Unavailable", []),
        ])
        try await desk.atWork(with: api) { unit in
            let held = try unit.outbox.enqueue(.message("words"), in: "c")
            let other = try unit.outbox.enqueue(.message("words"), in: "d")
            try await eventually("both failed") {
                try item(held)?.attempts == 1 && item(other)?.attempts == 1
            }
            unit.feed.revalidate()
            try await sent(other)
            #expect(try #require(item(held)?.nextAttemptAt) > .base(plus: 550))
            try unit.outbox.retry(held)
            try await sent(held)
        }
    }

    @Test func `A person who connects anew sends what the server asked to hold`() async throws {
        let api = try FickleAPI([FickleAPI.message: ("429 Too Many Requests", ["Retry-After: 3600"])])
        try await desk.atWork(with: api) { unit in
            let held = try unit.outbox.enqueue(.message("words"), in: "c")
            try await eventually("it failed") { try item(held)?.attempts == 1 }
            try unit.reconnect()
            try await sent(held)
        }
    }
}
