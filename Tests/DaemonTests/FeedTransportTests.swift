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

    /// It takes longer than the silence that is borne: the server says that it lives all the while.
    @Test func `A line is not silent while what came on it is being taken`() async throws {
        let streams = Shared(0)
        let api = try FakeAPI([
            FakeAPI.stream: { connection, _, asked in
                connection.beginStream()
                for _ in 0..<3 where connection.write(": beat\n") { usleep(150_000) }
                let reset = #"{"id":"r1","type":"reset","created_at":1,"data":{}}"#
                if asked == 0 { connection.write("id: r1\nevent: reset\ndata: \(reset)\n\n") }
                while connection.write(": beat\n") { usleep(150_000) }
                return true
            },
            "GET /v1/conversations/c": { connection, _, asked in
                if asked == 1 { usleep(6_000_000) }
                return connection.answerThread()
            },
            FakeAPI.list: FakeAPI.listing("c"),
        ])
        let desk = try Desk()
        let feed = try desk.unit(ContinuousClock(), at: api.url, by: .stream).feed
        try await running(feed, until: "it is taken, or the line was given up") {
            streams.value = api.asked(FakeAPI.stream)
            return try feed.cursor() == "r1" || streams.value > 1
        }
        #expect(streams.value == 1)
    }

    @Test(arguments: [[], ["Retry-After: 86400"]])
    func `A server whose stream and long-poll are ill is polled`(_ fields: [String]) async throws {
        let ill: FakeAPI.Answer = { connection, _, _ in connection.answer("503 Service Unavailable", fields) }
        let api = try FakeAPI([FakeAPI.stream: ill, FakeAPI.events: ill])
        let waits = Waits()
        let feed = try Desk().feed(waits, at: api.url, by: .auto)
        try await running(feed, until: "both are given up") {
            feed.status.transport == "poll" && feed.ladder.trial == nil
        }
        #expect(feed.status.reason?.hasPrefix("no stream and no long-poll (the server answered 503)") == true)
        #expect(!waits.all.contains { $0 > .seconds(900) })
    }

    @Test(arguments: [true, false])
    func `An API that is ill as a whole, or cannot be reached, is no reason for a lesser transport`(
        isReached: Bool
    ) async throws {
        let api = try FakeAPI(["GET ": FakeAPI.refusing("503 Service Unavailable")])
        let waits = Waits()
        let feed = try Desk().feed(waits, at: isReached ? api.url : "http://127.0.0.1:1", by: .auto)
        try await waits.first(20, of: feed)
        #expect(feed.ladder.begin(now: .zero) == .open(.stream))
    }

    @Test func `A place that the stream does not know is given up, and the stream is not`() async throws {
        let api = try FakeAPI([
            FakeAPI.stream: { connection, request, _ in
                guard request.values(of: "Last-Event-ID").isEmpty else {
                    return connection.answer("404 Not Found")
                }
                connection.beginStream()
                connection.waitForClose()
                return true
            }
        ])
        let desk = try Desk()
        let feed = try desk.unit(ContinuousClock(), at: api.url, by: .auto, random: 0).feed
        try desk.ingest.keep(cursor: "e1", of: feed.account.id)
        try await running(feed, until: "connected") { feed.status.transport == "stream" }
        #expect(feed.status.transport == "stream")
        #expect(try feed.cursor() == nil)
    }

    @Test func `A place that the long-poll does not know is given up before the next attempt`() async throws {
        let api = try FakeAPI([
            FakeAPI.stream: FakeAPI.refusing("404 Not Found"),
            FakeAPI.events: FakeAPI.refusing("404 Not Found"),
        ])
        let desk = try Desk()
        let waits = Waits()
        let feed = try desk.feed(waits, at: api.url, by: .auto)
        try desk.ingest.keep(cursor: "e1", of: feed.account.id)
        try await running(feed, until: "it is given up") { try feed.cursor() == nil }
    }

    @Test func `A long-poll that tells what was done here does not count as one that does not wait`()
        async throws
    {
        let api = try FakeAPI([
            FakeAPI.stream: FakeAPI.refusing("404 Not Found"),
            FakeAPI.events: { connection, _, asked in
                guard asked <= 20 else {
                    connection.waitForClose()
                    return true
                }
                let read = #"{"conversation_id":"c","unread_count":0,"total_unread":0}"#
                let event =
                    #"{"id":"e\#(asked)","type":"conversation.read","created_at":1,"data":\#(read)}"#
                let events = asked == 0 ? "" : event
                return connection.answer(body: #"{"events":[\#(events)],"cursor":"e\#(asked)"}"#)
            },
        ])
        let desk = try Desk()
        let feed = try desk.feed(Waits(), at: api.url, by: .auto)
        try await running(feed, until: "all is read, or no more asked for") {
            try feed.cursor() == "e20" || feed.ladder.reason?.contains("no long-poll") == true
        }
        #expect(try feed.cursor() == "e20")
    }

    @Test func `A server that wants to be left alone while threads are fetched is asked no more`()
        async throws
    {
        let asked = Mutex(0)
        let firstPass = Mutex<Int?>(nil)
        let api = try FakeAPI([
            "GET /v1/conversations/": { connection, _, _ in
                asked.withLock { $0 += 1 }
                return connection.answer("429 Too Many Requests", ["Retry-After: 600"])
            },
            FakeAPI.list: { connection, request, passes in
                if passes == 1 { firstPass.withLock { $0 = asked.withLock { $0 } } }
                return FakeAPI.listing("c1", "c2", "c3", "c4")(connection, request, passes)
            },
        ])
        let waits = Waits()
        let feed = try Desk().feed(waits, at: api.url)
        try await running(feed, until: "it is listed again") { firstPass.withLock { $0 } != nil }
        #expect(firstPass.withLock { $0 } == 1)
        #expect(waits.all.contains { $0 >= .seconds(599) })
    }
}
