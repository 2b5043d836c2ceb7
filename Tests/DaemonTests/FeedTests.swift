import Config
import CutieAPI
import Glibc
import Inbox
import Synchronization
import TestSupport
import Testing

@testable import Daemon
@testable import Store

@MainActor
struct FeedTests {
    @Test func `A store that cannot be written for long is no outage of the network`() async throws {
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil {
                connection.answer(body: #"{"device_token":"token","conversations":[]}"#)
            }
        }
        let waits = Waits()
        let desk = try Desk()
        let feed = try desk.feed(waits, at: server.url)
        try desk.store.write { try $0.run("PRAGMA query_only = 1") }
        try await waits.first(20, of: feed)
        #expect(waits.all.allSatisfy { $0 <= .seconds(5) }, "\(waits.all)")
    }

    @Test(arguments: ["200 OK", "403 Forbidden", "404 Not Found", "500 Internal Server Error"])
    func `A conversation that is listed and cannot be fetched does not keep an account from its next poll`(
        _ refusal: String
    ) async throws {
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                if request.line.contains("/v1/conversations/c") {
                    connection.answer(refusal)
                } else {
                    let row = #"{"conversation_id":"c","status":"open","created_at":1,"unread_count":1}"#
                    connection.answer(
                        body: #"{"device_token":"token","conversations":[\#(row)],"total_unread":1}"#)
                }
            }
        }
        let waits = Waits()
        let feed = try Desk().feed(waits, at: server.url)
        try await waits.first(3, of: feed) { $0 == feed.account.configuration.pollInterval }
    }

    @Test func `A long-poll that repeats what is known is not asked again and again`() async throws {
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil {
                let event = #"{"id":"e1","type":"badge","created_at":1,"data":{"total_unread":0}}"#
                let events = #""events":[\#(event)],"cursor":"e0""#
                connection.answer(body: #"{"device_token":"token","conversations":[],\#(events)}"#)
            }
        }
        let waits = Waits()
        let feed = try Desk().feed(waits, at: server.url, by: .auto)
        try await waits.first(1, of: feed) { $0 == feed.account.configuration.pollInterval }
    }

    @Test func `Words whose answer tells only the new conversation's id are here at once`() async throws {
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                let message = #"{"message_id":"m1","sender_type":"user","message":"words","created_at":1}"#
                connection.answer(
                    body: request.line.hasPrefix("POST /v1/conversations ")
                        ? #"{"conversation_id":"c9"}"#
                        : #"{"device_token":"token","conversation_id":"c9","messages":[\#(message)]}"#)
            }
        }
        let desk = try Desk()
        let outbox = try desk.unit(Waits(), at: server.url).outbox
        let id = try outbox.enqueue(
            .conversation(category: .bug, title: nil, message: "words"), in: nil)
        try await running(outbox.run) {
            try await eventually("it is sent") { try desk.store.read { try $0.outboxItem(id) } == nil }
        }
        #expect(try desk.store.read { try $0.message("m1") }.map(\.message.text) == ["words"])
    }

    @Test func `A reply that comes while its conversation is fetched stays unread`() async throws {
        let isAsked = Mutex(false)
        let mayAnswer = Mutex(false)
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                if request.line.contains("/v1/conversations/c") {
                    isAsked.withLock { $0 = true }
                    while !mayAnswer.withLock({ $0 }) { sched_yield() }
                }
                connection.answer(
                    body: #"{"device_token":"token","conversation_id":"c","unread_count":0,"messages":[]}"#)
            }
        }
        let desk = try Desk()
        let feed = try desk.unit(Waits(), at: server.url).feed
        try await withThrowingTaskGroup { group in
            group.addTask { try await feed.take("c") }
            try await eventually("the thread is asked for") { isAsked.withLock { $0 } }
            try desk.ingest.accept(
                [.reply(.sample("m1", at: 1), unread: 1, event: "e1")], from: feed.account.id, by: .stream)
            mayAnswer.withLock { $0 = true }
            try await group.waitForAll()
        }
        #expect(try desk.pending() == ["m1"])
    }

    @Test func `What is cancelled while the device is registered is not sent`() async throws {
        let isAsked = Mutex(false)
        let mayAnswer = Mutex(false)
        let posted = Mutex<[String]>([])
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                if request.line.contains("/register") {
                    isAsked.withLock { $0 = true }
                    while !mayAnswer.withLock({ $0 }) { sched_yield() }
                } else {
                    posted.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
                }
                connection.answer(body: #"{"device_token":"token","conversation_id":"c9","message_id":"m9"}"#)
            }
        }
        let desk = try Desk()
        let outbox = try desk.unit(Waits(), at: server.url).outbox
        let (first, second) = (OutboxPayload.message("first"), OutboxPayload.message("second"))
        let id = try outbox.enqueue(first, in: "c9")
        try await running(outbox.run) {
            try await eventually("the device is being registered") { isAsked.withLock { $0 } }
            #expect(try outbox.cancel(id))
            _ = try outbox.enqueue(second, in: "c9")
            mayAnswer.withLock { $0 = true }
            try await eventually("the second is posted") { !posted.withLock { $0 }.isEmpty }
        }
        #expect(posted.withLock { $0.count { $0.contains("first") } } == 0)
    }

    @Test func `A media type is the same in capitals`() async throws {
        let server = try RawServer { connection, _ in
            while let request = connection.readRequest() {
                if request.line.contains("/v1/events/stream") {
                    connection.write("HTTP/1.1 200 OK\r\nContent-Type: Text/Event-Stream\r\n\r\n: hello\n\n")
                } else {
                    connection.answer(body: #"{"device_token":"token","conversations":[]}"#)
                }
            }
        }
        let feed = try Desk().feed(Waits(), at: server.url, by: .stream)
        try await running(feed.run) {
            try await eventually("connected by stream") { feed.status.transport == "stream" }
        }
    }

    @Test func `An API that cannot be reached for long is asked less and less`() async throws {
        let waits = Waits()
        let feed = try Desk().feed(waits)
        try await waits.first(20, of: feed)
        #expect(waits.all.contains { $0 > .seconds(100) }, "\(waits.all)")
    }
}

/// A clock that stands: who sleeps is written down and goes on at once.
final class Waits: Clock {
    let now = ContinuousClock.now
    let minimumResolution = Duration.nanoseconds(1)
    private let waits = Mutex<[Duration]>([])

    var all: [Duration] { waits.withLock { $0 } }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        waits.withLock { $0.append(deadline - now) }
        await Task.yield()
    }

    /// Runs `feed` until it has waited so often, for as long as it `counts`.
    @MainActor
    func first(
        _ count: Int, of feed: Feed, where counts: (Duration) -> Bool = { _ in true }
    ) async throws {
        try await running(feed.run) {
            try await eventually("\(count) waits") { all.count(where: counts) >= count }
        }
    }
}

extension Desk {
    func feed(
        _ clock: Waits, at url: String = "http://127.0.0.1:1", by rung: AccountConfiguration.Transport = .poll
    ) throws -> Feed {
        try unit(clock, at: url, by: rung).feed
    }

    /// `machine`: with its own secrets where there is none.
    func unit(
        _ clock: any Clock<Duration>, at url: String, by rung: AccountConfiguration.Transport = .poll,
        every interval: Duration? = nil, random: Double = 0.999, machine: Machine? = nil
    ) throws -> AccountUnit {
        let surroundings = Surroundings(clock: clock, now: { .base }, random: { random })
        let accounts = Accounts(store: store)
        let keeper = try keeper(of: accounts, surroundings, on: machine)
        var configuration = try AccountConfiguration.sample(at: url)
        configuration.transport = rung
        if let interval { configuration.pollInterval = interval }
        try keeper.apply([configuration])
        return try #require(accounts.units.first)
    }
}
