import Config
import CutieAPI
import Dispatch
import Store
import Synchronization
import TestSupport
import Testing

@testable import Daemon

@MainActor
struct AccountKeeperTests {
    private let api = SlowAPI()
    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test func `A reload does not break off what is on its way, and who waits hears that it arrived`()
        async throws
    {
        try await sending { unit, id, reload in
            try reload([unit.renamed])
            try await eventually("the end of the former feed") { api.endedStreams == 1 }
            api.answerMessages()
            let outcome = try await unit.outbox.outcome(of: id, within: .seconds(10))
            guard case .sent("c", "m1") = outcome else { throw Unexpected(outcome: outcome) }
            try await eventually("the next feed") { api.streams == 2 }
            #expect(api.messages == 1)
        }
    }

    @Test func `What gets no answer is broken off, and who waits hears of the attempt that comes after it`()
        async throws
    {
        try await sending(clock: Hasty()) { unit, id, reload in
            try reload([unit.renamed])
            try await eventually("another attempt") { api.messages == 2 }
            let waiting = Task { try await unit.outbox.outcome(of: id, within: .seconds(10)) }
            await Task.yield()
            api.answerMessages()
            let outcome = try await waiting.value
            guard case .sent("c", "m1") = outcome else { throw Unexpected(outcome: outcome) }
        }
    }

    @Test func `What was on its way when its account was removed does not stay in the outbox`() async throws {
        try await sending { unit, id, reload in
            try reload([])
            try await eventually("the end of the feed") { api.endedStreams == 1 }
            api.answerMessages()
            guard case .sent = try await unit.outbox.outcome(of: id, within: .seconds(10)) else {
                throw Unexpected()
            }
            #expect(try desk.store.read { try $0.outboxItem(id) } == nil)
        }
    }

    /// Runs `body` with a message on its way, beside a stream, and what takes another configuration.
    private func sending(
        clock: any Clock<Duration> = ContinuousClock(),
        _ body: @MainActor (AccountUnit, String, ([AccountConfiguration]) throws -> Void) async throws -> Void
    ) async throws {
        let server = try RawServer { [api] connection, _ in api.serve(connection) }
        let accounts = Accounts(store: desk.store)
        let keeper = try desk.keeper(
            of: accounts, Surroundings(clock: clock, now: { .base }, random: { 0.5 }))
        try keeper.apply([.sample(at: server.url)])
        try await running(keeper.run) {
            defer { api.answerMessages() }
            let unit = try #require(accounts.units.first)
            try await eventually("a stream") { api.streams == 1 }
            let id = try unit.outbox.enqueue(.message("words"), in: "c")
            try await eventually("a message on its way") { api.messages == 1 }
            try await body(unit, id) { try keeper.apply($0) }
        }
    }
}

@MainActor
extension AccountUnit {
    /// Its configuration with another name of the person.
    fileprivate var renamed: AccountConfiguration {
        var configuration = account.configuration
        configuration.userName = "Bob"
        return configuration
    }
}

private struct Unexpected: Error { var outcome: Outbox.Outcome? }

/// Whoever would wait for as long as a delivery may take after a reload goes on at once.
private struct Hasty: Clock {
    let now = ContinuousClock.now
    let minimumResolution = Duration.nanoseconds(1)

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        if deadline - now != .seconds(5) { try await ContinuousClock().sleep(for: deadline - now) }
    }
}

/// An API that takes messages and answers them only when a test says so.
private final class SlowAPI: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let counts = Mutex((messages: 0, streams: 0, endedStreams: 0))

    var messages: Int { counts.withLock { $0.messages } }
    var streams: Int { counts.withLock { $0.streams } }
    var endedStreams: Int { counts.withLock { $0.endedStreams } }

    func answerMessages() { gate.signal() }

    func serve(_ connection: RawConnection) {
        while let request = connection.readRequest() {
            switch String(request.line.split(separator: " ")[1].prefix { $0 != "?" }) {
            case "/v1/events/stream": return stream(connection)
            case "/v1/conversations/c/messages": message(connection)
            case "/v1/conversations/c":
                connection.answer(body: #"{"conversation_id":"c","status":"open","messages":[]}"#)
            case "/v1/conversations":
                connection.answer(body: #"{"conversations":[],"total_unread":0}"#)
            case "/v1/device/register": connection.answer(body: #"{"device_token":"token"}"#)
            default: connection.answer("404 Not Found")
            }
        }
    }

    private func stream(_ connection: RawConnection) {
        connection.write(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        connection.writeChunk(": hello\n\n")
        counts.withLock { $0.streams += 1 }
        connection.waitForClose()
        counts.withLock { $0.endedStreams += 1 }
    }

    private func message(_ connection: RawConnection) {
        counts.withLock { $0.messages += 1 }
        gate.wait()
        gate.signal()
        connection.answer(
            body: #"""
                {"message_id":"m1","conversation_id":"c","sender_type":"user","message":"words",
                "message_type":"text","created_at":1780000000000}
                """#)
    }
}
