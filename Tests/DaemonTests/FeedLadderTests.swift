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

/// Replies come whatever becomes of the better transports.
@MainActor
struct FeedLadderTests {
    /// What a proxy, a firewall or a server does to a transport.
    enum Fault: String, CaseIterable {
        case noHeaders = "no headers", noByte = "headers and no byte", reset = "RST"
        case redirect = "a redirect to another origin", end = "an end at once"
        case longPollHangs = "a long-poll that hangs"

        var answers: KeyValuePairs<String, FakeAPI.Answer> {
            switch self {
            case .noHeaders: [FakeAPI.stream: Self.hanging, FakeAPI.events: Self.hanging]
            case .noByte: [FakeAPI.stream: Self.silent, FakeAPI.events: Self.hanging]
            case .reset: [FakeAPI.stream: Self.resetting, FakeAPI.events: Self.resetting]
            case .redirect: [FakeAPI.stream: Self.redirecting, FakeAPI.events: Self.redirecting]
            case .end: [FakeAPI.stream: Self.ending, FakeAPI.events: Self.redirecting]
            case .longPollHangs:
                [FakeAPI.stream: FakeAPI.refusing("404 Not Found"), FakeAPI.events: Self.hanging]
            }
        }

        private static let hanging: FakeAPI.Answer = { connection, _, _ in
            connection.waitForClose()
            return true
        }
        private static let silent: FakeAPI.Answer = { connection, _, _ in
            connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
            connection.waitForClose()
            return true
        }
        private static let resetting: FakeAPI.Answer = { connection, _, _ in
            connection.reset()
            return true
        }
        private static let redirecting = FakeAPI.refusing("302 Found", "Location: http://127.0.0.1:1/login")
        private static let ending: FakeAPI.Answer = { connection, _, _ in
            connection.beginStream()
            connection.close()
            return true
        }
    }

    /// A conversation that grows by a reply whenever a test wants it.
    private final class Thread: Sendable {
        private let replies = Mutex(0)

        func grow() -> Message.ID {
            replies.withLock {
                $0 += 1
                return Message.ID("m\($0)")
            }
        }

        var list: FakeAPI.Answer {
            { connection, _, _ in
                let count = self.replies.withLock { $0 }
                let row =
                    #"{"conversation_id":"c","status":"open","created_at":1,"updated_at":\#(count + 1),"#
                    + #""message_count":\#(count),"unread_count":\#(count)}"#
                return connection.answer(
                    body: #"{"conversations":[\#(count > 0 ? row : "")],"total_unread":\#(count)}"#)
            }
        }

        var whole: FakeAPI.Answer {
            { connection, _, _ in
                let count = self.replies.withLock { $0 }
                let messages = (0..<count).map {
                    #"{"message_id":"m\#($0 + 1)","sender_type":"admin","message":"m","created_at":\#($0 + 1)}"#
                }
                return connection.answer(
                    body: #"{"conversation_id":"c","status":"open","created_at":1,"unread_count":\#(count),"#
                        + #""updated_at":\#(count + 1),"message_count":\#(count),"#
                        + #""messages":[\#(messages.joined(separator: ","))]}"#)
            }
        }
    }

    private static func api(
        _ thread: Thread, _ answers: KeyValuePairs<String, FakeAPI.Answer>
    ) throws -> FakeAPI {
        let rest: KeyValuePairs = [
            "GET /v1/conversations/c": thread.whole, FakeAPI.list: thread.list,
        ]
        return try FakeAPI(answers.map { ($0.key, $0.value) } + rest.map { ($0.key, $0.value) })
    }

    @Test(arguments: Fault.allCases)
    func `Replies come by poll whatever becomes of the stream, and after a reconnect too`(
        _ fault: Fault
    ) async throws {
        let thread = Thread()
        let api = try Self.api(thread, fault.answers)
        let desk = try Desk()
        let feed = try desk.unit(
            ContinuousClock(), at: api.url, by: .auto, every: .milliseconds(200), random: 0
        ).feed
        try await running(feed.run) {
            for round in 0..<3 {
                let reply = thread.grow()
                try await eventually("\(reply) is here", within: .seconds(5)) {
                    try !desk.store.read { try $0.message(reply) }.isEmpty
                }
                if round == 1 { feed.revalidate() }
            }
            try await eventually("connected by poll") { feed.status.transport == "poll" }
        }
    }

    @Test(arguments: [Fault.reset, .redirect, .end])
    func `A stream that breaks each time is given up, with one sentence of why`(_ fault: Fault) async throws {
        let api = try Self.api(Thread(), fault.answers)
        let feed = try Desk().unit(
            ContinuousClock(), at: api.url, by: .auto, every: .milliseconds(200), random: 0
        ).feed
        try await running(feed.run) {
            for _ in 0..<3 {
                try await eventually("all is tried", within: .seconds(20)) {
                    feed.status.reason?.contains("no long-poll") == true
                }
                let reason = try #require(feed.status.reason)
                #expect(reason.hasPrefix("no stream ") && reason.count < 350, "\(reason)")
                #expect(feed.status.state == .connected && feed.status.transport == "poll")
                feed.revalidate()
            }
        }
    }

    @Test func `A reply of the time between the poll and the headers of a late stream is not lost`()
        async throws
    {
        let thread = Thread()
        let api = try Self.api(
            thread,
            [
                FakeAPI.stream: { connection, _, _ in
                    // Longer than the first poll waits; the reply is written before the server listens for us.
                    usleep(2_500_000)
                    _ = thread.grow()
                    connection.beginStream()
                    connection.waitForClose()
                    return true
                }
            ])
        let desk = try Desk()
        let feed = try desk.unit(
            ContinuousClock(), at: api.url, by: .auto, every: .seconds(3600), random: 0
        ).feed
        try await running(feed.run) {
            try await eventually("connected by poll meanwhile") { feed.status.transport == "poll" }
            try await eventually("by stream") { feed.status.transport == "stream" }
            #expect(try !desk.store.read { try $0.message("m1") }.isEmpty)
        }
    }

    @Test func `A better transport is tried beside the working one and takes over without loss`()
        async throws
    {
        let thread = Thread()
        let streams = Mutex<RawConnection?>(nil)
        let mayAnswer = Mutex(false)
        let event: @Sendable (Message.ID) -> String = { id in
            #"{"id":"e-\#(id)","type":"message.created","created_at":1,"data":{"conversation_id":"c","#
                + #""message":{"message_id":"\#(id)","conversation_id":"c","sender_type":"admin","#
                + #""message":"m","created_at":1}}}"#
        }
        let api = try Self.api(
            thread,
            [
                FakeAPI.stream: { connection, _, _ in
                    connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
                    streams.withLock { $0 = connection }
                    connection.waitForClose()
                    return true
                },
                FakeAPI.events: { connection, request, _ in
                    guard request.line.contains("wait=50") else {
                        if !request.line.contains("wait=0") { usleep(1_200_000) }
                        return connection.answer(body: #"{"events":[],"cursor":"e0"}"#)
                    }
                    while !mayAnswer.withLock({ $0 }) { usleep(10_000) }
                    mayAnswer.withLock { $0 = false }
                    let reply = thread.grow()
                    return connection.answer(
                        body: #"{"events":[\#(event(reply))],"cursor":"e-\#(reply)"}"#)
                },
            ])
        let desk = try Desk()
        let feed = try desk.unit(
            ContinuousClock(), at: api.url, by: .auto, every: .seconds(3600), random: 0
        ).feed
        // The stream was tried in vain for the first time; it is time again in 4 seconds.
        let tried = feed.surroundings.uptime - .seconds(296)
        _ = feed.ladder.begin(now: tried)
        _ = feed.ladder.failed(.stream, .init("held back", isFinal: true), now: tried)
        try await running(feed.run) {
            try await eventually("by long-poll") { feed.status.transport == "long-poll" }
            try await eventually("the stream is open beside it") { streams.withLock { $0 != nil } }
            #expect(feed.status.transport == "long-poll")
            mayAnswer.withLock { $0 = true }
            try await eventually("the long-poll still brings replies") {
                try !desk.store.read { try $0.message("m1") }.isEmpty
            }
            // It lives: heard long after its opening, with what came by the other way already, and with more.
            try await feed.surroundings.sleep(Ladder.life)
            let last = thread.grow()
            streams.withLock { $0 }?.write("data: \(event("m1"))\n\ndata: \(event(last))\n\n")
            try await eventually("by stream") {
                // Its age counts from when the feed saw it open, which is later than here.
                streams.withLock { $0 }?.write(": beat\n\n")
                return feed.status.transport == "stream"
            }
            try await eventually("the last is here") { try !desk.store.read { try $0.message(last) }.isEmpty }
        }
        #expect(try desk.logged("message.created").count == 2)
        #expect(try desk.pending().sorted { $0.rawValue < $1.rawValue } == ["m1", "m2"])
    }

    @Test func `A server where everything works costs one stream and one poll`() async throws {
        let beats = Mutex(0)
        let api = try Self.api(
            Thread(),
            [
                FakeAPI.stream: { connection, _, _ in
                    connection.beginStream()
                    while connection.write(": beat\n\n") {
                        beats.withLock { $0 += 1 }
                        usleep(100_000)
                    }
                    return true
                }
            ])
        let feed = try Desk().unit(
            ContinuousClock(), at: api.url, by: .auto, every: .milliseconds(100), random: 0
        ).feed
        try await running(feed.run) {
            try await eventually("many polls' time") { beats.withLock { $0 } > 20 }
        }
        #expect(api.asked(FakeAPI.stream) == 1 && api.asked(FakeAPI.list) == 1)
        #expect(api.asked(FakeAPI.events) == 0)
    }
}
