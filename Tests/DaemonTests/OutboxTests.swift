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
            #expect(try #require(item(held)?.nextAttemptAt) > .base(plus: 3500))
            try unit.outbox.retry(held)
            try await sent(held)
        }
    }
}
