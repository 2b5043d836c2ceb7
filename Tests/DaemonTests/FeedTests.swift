import Config
import CutieAPI
import FeedPolicy
import Synchronization
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@testable import Store

@MainActor
struct FeedTests {
    @Test func `A persistent write error in the store is not reported as a network outage`() async throws {
        let api = try ScriptedAPI()
        let fixture = try IngestFixture(.atOnce)
        let feed = try fixture.unit(at: api.url).feed
        try fixture.store.write { try $0.run("PRAGMA query_only = 1") }
        try await fixture.expectWaits(20, of: feed)
        #expect(fixture.time.waits.allSatisfy { $0 <= .seconds(5) }, "\(fixture.time.waits)")
    }

    @Test(arguments: ["200 OK", "403 Forbidden", "404 Not Found", "500 Internal Server Error"])
    func `A conversation that cannot be fetched does not delay the account's next poll`(
        _ refusal: String
    ) async throws {
        let api = try ScriptedAPI([
            ScriptedAPI.conversation: ScriptedAPI.refusing(refusal),
            ScriptedAPI.list: ScriptedAPI.listing("c"),
        ])
        let fixture = try IngestFixture(.atOnce)
        let feed = try fixture.unit(at: api.url).feed
        try await fixture.expectWaits(3, of: feed) { $0 == feed.account.configuration.pollInterval }
    }

    @Test func `The daemon waits between long polls that repeatedly return known events`()
        async throws
    {
        let api = try ScriptedAPI([
            ScriptedAPI.stream: ScriptedAPI.refusing("404 Not Found"),
            ScriptedAPI.events: { connection, _, _ in
                let event = #"{"id":"e1","type":"badge","created_at":1,"data":{"total_unread":0}}"#
                return connection.answer(body: #"{"events":[\#(event)],"cursor":"e0"}"#)
            },
        ])
        let fixture = try IngestFixture(.atOnce)
        let feed = try fixture.unit(at: api.url, by: nil).feed
        try await fixture.expectWaits(1, of: feed) { $0 == feed.account.configuration.pollInterval }
    }

    @Test
    func `The message of a new conversation is fetched immediately if the response contains only its ID`()
        async throws
    {
        let api = try ScriptedAPI([
            "POST /v1/conversations": { connection, _, _ in
                connection.answer(body: #"{"conversation_id":"c9"}"#)
            },
            "GET /v1/conversations/c9": { connection, _, _ in
                let message = #"{"message_id":"m1","sender_type":"user","message":"words","created_at":1}"#
                return connection.answer(body: #"{"conversation_id":"c9","messages":[\#(message)]}"#)
            },
        ])
        let fixture = try IngestFixture()
        let outbox = try fixture.unit(at: api.url).outbox
        let id = try outbox.enqueue(
            .conversation(category: .bug, title: nil, message: "words"), in: nil)
        try await running(outbox.run) {
            try await eventually("the message is sent") {
                try fixture.store.read { try $0.outbox.findItem(id) } == nil
            }
        }
        #expect(try fixture.store.read { try $0.messages.find("m1") }.map(\.message.text) == ["words"])
    }

    @Test func `A reply that arrives while its conversation is being fetched stays unread`() async throws {
        let gate = Gate()
        let api = try ScriptedAPI([
            ScriptedAPI.conversation: { connection, _, _ in
                gate.pass()
                return connection.answer(body: #"{"conversation_id":"c","unread_count":0,"messages":[]}"#)
            }
        ])
        let fixture = try IngestFixture()
        let feed = try fixture.unit(at: api.url).feed
        try await withThrowingTaskGroup { group in
            group.addTask { try await feed.synchronizer.fetcher.fetch("c") }
            try await eventually("the thread is requested") {
                api.requestCount(of: ScriptedAPI.conversation) > 0
            }
            try fixture.ingest.apply(
                [.reply(.sample("m1", at: 1), unread: 1, event: "e1")], to: feed.account.id,
                receivedOver: .stream)
            gate.open()
            try await group.waitForAll()
        }
        #expect(try fixture.pending() == ["m1"])
    }

    @Test func `A message that is cancelled while the device registers is not sent`() async throws {
        let gate = Gate()
        let posted = Mutex<[String]>([])
        let api = try ScriptedAPI([
            ScriptedAPI.register: { _, _, _ in
                gate.pass()
                return false
            },
            "POST ": { connection, request, _ in
                posted.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
                return connection.answer(body: #"{"conversation_id":"c9","message_id":"m9"}"#)
            },
        ])
        let fixture = try IngestFixture()
        let outbox = try fixture.unit(at: api.url).outbox
        let (first, second) = (OutboxPayload.message("first"), OutboxPayload.message("second"))
        let id = try outbox.enqueue(first, in: "c9")
        try await running(outbox.run) {
            try await eventually("the device is being registered") {
                api.requestCount(of: ScriptedAPI.register) > 0
            }
            #expect(try await outbox.cancelItem(id, within: .seconds(1)))
            _ = try outbox.enqueue(second, in: "c9")
            gate.open()
            try await eventually("the second message is posted") { !posted.withLock { $0 }.isEmpty }
        }
        #expect(posted.withLock { $0.count { $0.contains("first") } } == 0)
    }

    @Test func `The media type of an event stream is case-insensitive`() async throws {
        let api = try ScriptedAPI([
            ScriptedAPI.stream: { connection, _, _ in
                connection.write("HTTP/1.1 200 OK\r\nContent-Type: Text/Event-Stream\r\n\r\n: hello\n\n")
            }
        ])
        let fixture = try IngestFixture()
        defer { withExtendedLifetime(fixture) {} }
        let feed = try fixture.unit(at: api.url, by: .stream).feed
        try await running(feed.run) {
            try await eventually("the feed uses the stream") { feed.status.transport == "stream" }
        }
    }

    @Test func `Requests to an unreachable API are retried with increasing delays`() async throws {
        let fixture = try IngestFixture(.atOnce)
        try await fixture.expectWaits(20, of: fixture.unit().feed)
        #expect(fixture.time.waits.contains { $0 > .seconds(100) }, "\(fixture.time.waits)")
    }
}

extension IngestFixture {
    /// Runs `feed` until `count` waits have begun. Only waits whose duration `counts` accepts are counted.
    func expectWaits(_ count: Int, of feed: Feed, where counts: (Duration) -> Bool = { _ in true })
        async throws
    {
        try await running(feed.run) {
            try await eventually("\(count) waits") { time.waits.count(where: counts) >= count }
        }
    }
}
