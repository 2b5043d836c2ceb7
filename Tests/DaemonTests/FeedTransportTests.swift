import Config
import ControlAPI
import CutieAPI
import Glibc
import Inbox
import Synchronization
import TestSupport
import Testing

@testable import Daemon
@testable import Store

@MainActor
struct FeedTransportTests {
    /// Runs `feed` until `condition` holds.
    private func running(
        _ feed: Feed, until what: String, _ condition: @MainActor () throws -> Bool
    ) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await feed.run() }
            try await eventually(what, condition)
            group.cancelAll()
        }
    }

    @Test(arguments: ["GET /v1/events/stream", "GET /v1/events?"])
    func `A reply that could not be fetched is here once the server is well, although no event tells of it`(
        _ transport: String
    ) async throws {
        let api = try FakeAPI([
            FakeAPI.stream: { connection, _, _ in
                guard transport == FakeAPI.stream else { return connection.answer("404 Not Found") }
                connection.beginStream()
                connection.waitForClose()
                return true
            },
            FakeAPI.events: { connection, request, _ in
                if request.line.contains("after=") { connection.waitForClose() }
                return connection.answer(body: #"{"events":[],"cursor":"e0"}"#)
            },
            "GET /v1/conversations/c": { connection, _, asked in
                asked < 7 ? connection.answer("503 Service Unavailable") : connection.answerThread()
            },
            FakeAPI.list: FakeAPI.listing("c"),
        ])
        let desk = try Desk()
        let unit = try desk.unit(
            ContinuousClock(), at: api.url, by: .auto, every: .milliseconds(100), random: 0)
        try await running(unit.feed, until: "the reply is here") {
            try !desk.store.read { try $0.message("m1") }.isEmpty
        }
    }
}
