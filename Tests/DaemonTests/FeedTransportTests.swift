import Config
import ControlAPI
import CutieAPI
import Domain
import FeedPolicy
import Reasons
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@testable import Store

@MainActor
struct FeedTransportTests {
    /// Runs `feed` and advances the time until `condition` holds.
    private func follow(
        _ feed: Feed, on fixture: IngestFixture, until what: String, _ condition: @MainActor () throws -> Bool
    ) async throws {
        try await running(feed.run) { try await fixture.time.advance(until: what, condition) }
    }

    @Test(arguments: [ScriptedAPI.stream, ScriptedAPI.events])
    func `A reply that could not be fetched arrives after the server recovers, without another event`(
        _ transport: String
    ) async throws {
        let api = try ScriptedAPI([
            ScriptedAPI.stream: { connection, _, _ in
                guard transport == ScriptedAPI.stream else { return connection.answer("404 Not Found") }
                connection.beginStream()
                return connection.waitForClose()
            },
            ScriptedAPI.events: { connection, request, _ in
                if request.line.contains("after=") { connection.waitForClose() }
                return connection.answer(body: #"{"events":[],"cursor":"e0"}"#)
            },
            ScriptedAPI.conversation: { connection, _, asked in
                asked < 7 ? connection.answer("503 Service Unavailable") : connection.respondWithThread()
            },
            ScriptedAPI.list: ScriptedAPI.listing("c"),
        ])
        let fixture = try IngestFixture(.never)
        let feed = try fixture.unit(at: api.url, by: nil, random: 0).feed
        try await follow(feed, on: fixture, until: "the reply is received") {
            try !fixture.store.read { try $0.messages.find("m1") }.isEmpty
        }
    }

    /// Storing the events takes longer than the stream's silence timeout, while heartbeats still arrive.
    @Test func `A stream does not count as silent while its events are being stored`() async throws {
        let line = Shared<RawConnection?>(nil)
        let gate = Gate()
        let api = try ScriptedAPI([
            ScriptedAPI.stream: { connection, _, _ in
                connection.beginStream()
                line.value = connection
                return connection.waitForClose()
            },
            ScriptedAPI.conversation: { connection, _, asked in
                if asked == 1 { gate.pass() }
                return connection.respondWithThread()
            },
            ScriptedAPI.list: ScriptedAPI.listing("c"),
        ])
        let fixture = try IngestFixture(.never)
        let feed = try fixture.unit(at: api.url, by: .stream).feed
        try await running(feed.run) {
            try await eventually("the feed uses the stream") { feed.status.transport == "stream" }
            let server = try #require(line.value)
            for second in 1...3 {
                fixture.time.pass(.seconds(1))
                server.write(": beat\n")
                try await eventually("the heartbeat is received") {
                    feed.connection.pollRequests.lastDataAge[.stream] == .seconds(second)
                }
            }
            server.event("r1", "reset", "{}")
            try await eventually("the conversation is requested") {
                api.requestCount(of: ScriptedAPI.conversation) >= 2
            }
            server.write(": beat\n")
            fixture.time.pass(.seconds(6))
            try await eventually("the silence timer is set, or the stream is opened again") {
                fixture.time.sleeps.contains(.seconds(5)) || api.requestCount(of: ScriptedAPI.stream) > 1
            }
            gate.open()
            try await eventually("the reset is stored, or the stream is opened again") {
                try feed.synchronizer.readCursor() == "r1" || api.requestCount(of: ScriptedAPI.stream) > 1
            }
        }
        #expect(api.requestCount(of: ScriptedAPI.stream) == 1)
    }

    @Test(arguments: [[], ["Retry-After: 86400"]])
    func `The daemon uses polling if both the stream and the long poll fail`(_ fields: [String]) async throws
    {
        let ill: ScriptedAPI.Responder = { connection, _, _ in
            connection.answer("503 Service Unavailable", fields)
        }
        let api = try ScriptedAPI([ScriptedAPI.stream: ill, ScriptedAPI.events: ill])
        let fixture = try IngestFixture(.never)
        let feed = try fixture.unit(at: api.url, by: nil).feed
        try await follow(feed, on: fixture, until: "the stream and the long poll are abandoned") {
            feed.status.transport == "poll" && feed.connection.transportSelector.trial == nil
        }
        #expect(
            feed.status.reason?.english.hasPrefix(
                "the transports stream and long-poll cannot be used (the server returned 503)")
                == true)
        #expect(!fixture.time.waits.contains { $0 > .seconds(900) })
    }

    @Test(arguments: [true, false])
    func `An API that is unreachable or fails completely does not cause a transport downgrade`(
        isReached: Bool
    ) async throws {
        let api = try ScriptedAPI(["GET ": ScriptedAPI.refusing("503 Service Unavailable")])
        let fixture = try IngestFixture(.atOnce)
        let feed = try fixture.unit(at: isReached ? api.url : "http://127.0.0.1:1", by: nil).feed
        try await fixture.expectWaits(20, of: feed)
        #expect(feed.connection.transportSelector.startConnection(now: .zero) == .open(.stream))
    }

    @Test func `A cursor that the stream endpoint refuses is deleted, and the feed still uses the stream`()
        async throws
    {
        let api = try ScriptedAPI([
            ScriptedAPI.stream: { connection, request, _ in
                guard request.values(of: "Last-Event-ID").isEmpty else {
                    return connection.answer("404 Not Found")
                }
                connection.beginStream()
                return connection.waitForClose()
            }
        ])
        let fixture = try IngestFixture(.never)
        let feed = try fixture.unit(at: api.url, by: nil, random: 0).feed
        try fixture.ingest.saveCursor("e1", of: feed.account.id)
        try await follow(feed, on: fixture, until: "the feed uses the stream") {
            feed.status.transport == "stream"
        }
        #expect(feed.status.transport == "stream")
        #expect(try feed.synchronizer.readCursor() == nil)
    }

    @Test func `A cursor that the long-poll endpoint refuses is deleted before the next attempt`()
        async throws
    {
        let api = try ScriptedAPI([
            ScriptedAPI.stream: ScriptedAPI.refusing("404 Not Found"),
            ScriptedAPI.events: ScriptedAPI.refusing("404 Not Found"),
        ])
        let fixture = try IngestFixture(.never)
        let feed = try fixture.unit(at: api.url, by: nil).feed
        try fixture.ingest.saveCursor("e1", of: feed.account.id)
        try await follow(feed, on: fixture, until: "the transport is abandoned") {
            try feed.synchronizer.readCursor() == nil
        }
    }

    @Test func `A long poll that returns only the user's own changes is not treated as a failure`()
        async throws
    {
        let api = try ScriptedAPI([
            ScriptedAPI.stream: ScriptedAPI.refusing("404 Not Found"),
            ScriptedAPI.events: { connection, _, asked in
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
        let fixture = try IngestFixture(.never)
        let feed = try fixture.unit(at: api.url, by: nil).feed
        try await follow(feed, on: fixture, until: "all events are read, or the long poll is abandoned") {
            try feed.synchronizer.readCursor() == "e20"
                || feed.connection.transportSelector.reason.map {
                    $0.code != .transportTested && $0.english.contains("long-poll")
                } == true
        }
        #expect(try feed.synchronizer.readCursor() == "e20")
    }

    @Test
    func `A server that responds with Retry-After while threads are being fetched gets no further requests`()
        async throws
    {
        let api = try ScriptedAPI([
            "GET /v1/conversations/": ScriptedAPI.refusing("429 Too Many Requests", "Retry-After: 600"),
            ScriptedAPI.list: ScriptedAPI.listing("c1", "c2", "c3", "c4"),
        ])
        let fixture = try IngestFixture(.never)
        let feed = try fixture.unit(at: api.url).feed
        try await running(feed.run) {
            try await eventually("the feed is connected") { feed.status.state == .connected }
            // Two requests wait: the next poll and the next thread request.
            try await eventually("both requests wait") {
                fixture.time.sleeps.count { $0 >= .seconds(599) } >= 2
            }
            #expect(api.requestCount(of: "GET /v1/conversations/") == 1)
        }
    }
}
