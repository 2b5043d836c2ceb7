import Config
import ControlAPI
import CutieAPI
import Domain
import FeedPolicy
import Reasons
import Synchronization
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@testable import Store

/// Tests that replies arrive even if the preferred transports fail.
@MainActor
struct FeedLadderTests {
    /// A failure that a proxy, a firewall or a server causes for a transport.
    enum Fault: String, CaseIterable {
        case noHeaders = "no headers", noByte = "headers and no byte", reset = "RST"
        case redirect = "a redirect to another origin", end = "an end at once"
        case longPollHangs = "a long-poll that hangs"

        var answers: KeyValuePairs<String, ScriptedAPI.Responder> {
            switch self {
            case .noHeaders: [ScriptedAPI.stream: Self.hanging, ScriptedAPI.events: Self.hanging]
            case .noByte: [ScriptedAPI.stream: Self.silent, ScriptedAPI.events: Self.hanging]
            case .reset: [ScriptedAPI.stream: Self.resetting, ScriptedAPI.events: Self.resetting]
            case .redirect: [ScriptedAPI.stream: Self.redirecting, ScriptedAPI.events: Self.redirecting]
            case .end: [ScriptedAPI.stream: Self.ending, ScriptedAPI.events: Self.redirecting]
            case .longPollHangs:
                [ScriptedAPI.stream: ScriptedAPI.refusing("404 Not Found"), ScriptedAPI.events: Self.hanging]
            }
        }

        private static let hanging: ScriptedAPI.Responder = { connection, _, _ in
            connection.waitForClose()
            return true
        }
        private static let silent: ScriptedAPI.Responder = { connection, _, _ in
            connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
            connection.waitForClose()
            return true
        }
        private static let resetting: ScriptedAPI.Responder = { connection, _, _ in
            connection.reset()
            return true
        }
        private static let redirecting = ScriptedAPI.refusing(
            "302 Found", "Location: http://127.0.0.1:1/login")
        private static let ending: ScriptedAPI.Responder = { connection, _, _ in
            connection.beginStream()
            connection.close()
            return true
        }
    }

    /// A conversation to which a test can add replies.
    private final class Thread: Sendable {
        private let replies = Mutex(0)

        func grow() -> Message.ID {
            replies.withLock {
                $0 += 1
                return Message.ID("m\($0)")
            }
        }

        var list: ScriptedAPI.Responder {
            { connection, _, _ in
                let count = self.replies.withLock { $0 }
                let row =
                    #"{"conversation_id":"c","status":"open","created_at":1,"updated_at":\#(count + 1),"#
                    + #""message_count":\#(count),"unread_count":\#(count)}"#
                return connection.answer(
                    body: #"{"conversations":[\#(count > 0 ? row : "")],"total_unread":\#(count)}"#)
            }
        }

        var whole: ScriptedAPI.Responder {
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
        _ thread: Thread, _ answers: KeyValuePairs<String, ScriptedAPI.Responder>
    ) throws -> ScriptedAPI {
        let rest: KeyValuePairs = [
            ScriptedAPI.conversation: thread.whole, ScriptedAPI.list: thread.list,
        ]
        return try ScriptedAPI((Array(answers) + Array(rest)).map { ($0.key, $0.value) })
    }

    @Test(arguments: Fault.allCases)
    func `Replies arrive by polling if the stream fails in any way, even after a reconnect`(
        _ fault: Fault
    ) async throws {
        let thread = Thread()
        let api = try Self.api(thread, fault.answers)
        let fixture = try IngestFixture(.never)
        let feed = try fixture.unit(at: api.url, by: nil, every: .milliseconds(200), random: 0).feed
        try await running(feed.run) {
            for round in 0..<3 {
                let reply = thread.grow()
                try await fixture.time.advance(until: "\(reply) is here") {
                    try !fixture.store.read { try $0.messages.find(reply) }.isEmpty
                }
                if round == 1 { feed.reconnect() }
            }
            try await fixture.time.advance(until: "the feed polls") { feed.status.transport == "poll" }
        }
    }

    @Test(arguments: [Fault.reset, .redirect, .end])
    func `A stream that always fails is no longer used, and the status states the reason`(_ fault: Fault)
        async throws
    {
        let api = try Self.api(Thread(), fault.answers)
        let fixture = try IngestFixture(.never)
        let feed = try fixture.unit(at: api.url, by: nil, every: .milliseconds(200), random: 0).feed
        try await running(feed.run) {
            for _ in 0..<3 {
                try await fixture.time.advance(until: "all transports are tried") {
                    [.bothTransportsMissing, .eachTransportMissing].contains(feed.status.reason?.code)
                }
                let reason = try #require(feed.status.reason).english
                #expect(reason.hasPrefix("the transports stream ") && reason.count < 350, "\(reason)")
                #expect(reason.contains(" and long-poll "), "\(reason)")
                #expect(feed.status.state == .connected && feed.status.transport == "poll")
                feed.reconnect()
            }
        }
    }

    @Test func `A reply that arrives between a poll and the delayed headers of a stream is not lost`()
        async throws
    {
        let thread = Thread()
        let gate = Gate()
        let api = try Self.api(
            thread,
            [
                ScriptedAPI.stream: { connection, _, _ in
                    gate.pass()
                    connection.beginStream()
                    return connection.waitForClose()
                }
            ])
        let fixture = try IngestFixture(.never)
        let feed = try fixture.unit(at: api.url, by: nil, random: 0).feed
        try await running(feed.run) {
            try await fixture.time.advance(until: "the feed polls meanwhile") {
                feed.status.transport == "poll"
            }
            // The reply exists on the server before the stream opens.
            let reply = thread.grow()
            gate.open()
            try await eventually("the feed uses the stream") { feed.status.transport == "stream" }
            #expect(try !fixture.store.read { try $0.messages.find(reply) }.isEmpty)
        }
    }

    @Test
    func `No reply is lost when a better transport is tried in parallel and then used`()
        async throws
    {
        let thread = Thread()
        let stream = Shared<RawConnection?>(nil)
        let (first, later) = (Gate(), Gate())
        let event: @Sendable (Message.ID) -> String = { id in
            #"{"id":"e-\#(id)","type":"message.created","created_at":1,"data":{"conversation_id":"c","#
                + #""message":{"message_id":"\#(id)","conversation_id":"c","sender_type":"admin","#
                + #""message":"m","created_at":1}}}"#
        }
        let api = try Self.api(
            thread,
            [
                ScriptedAPI.stream: { connection, _, _ in
                    connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
                    stream.value = connection
                    return connection.waitForClose()
                },
                ScriptedAPI.events: { connection, request, _ in
                    guard request.line.contains("wait=50") else {
                        if !request.line.contains("wait=0") { first.pass() }
                        return connection.answer(body: #"{"events":[],"cursor":"e0"}"#)
                    }
                    later.wait()
                    let reply = thread.grow()
                    return connection.answer(
                        body: #"{"events":[\#(event(reply))],"cursor":"e-\#(reply)"}"#)
                },
            ])
        let fixture = try IngestFixture(.never)
        let feed = try fixture.unit(at: api.url, by: nil, every: .seconds(3600), random: 0).feed
        // Pretends that opening the stream failed 296 seconds ago, so that the next attempt is due in 4
        // seconds.
        let tried = fixture.time.uptime - .seconds(296)
        _ = feed.connection.transportSelector.startConnection(now: tried)
        _ = feed.connection.transportSelector.recordTrialFailure(
            of: .stream, fault: .init(.text("held back"), isFinal: true), now: tried)
        defer { later.open() }
        try await running(feed.run) {
            try await eventually("the long poll is pending") { api.requestCount(of: ScriptedAPI.events) >= 2 }
            fixture.time.pass(.seconds(2))
            first.open()
            try await eventually("the feed uses the long poll") { feed.status.transport == "long-poll" }
            #expect(stream.value == nil)
            fixture.time.pass(.seconds(2))
            try await eventually("the stream is open in parallel") { stream.value != nil }
            #expect(feed.status.transport == "long-poll")
            later.open()
            try await eventually("replies still arrive by long poll") {
                try !fixture.store.read { try $0.messages.find("m1") }.isEmpty
            }
            try await eventually("the feed has seen the stream open") {
                feed.connection.pollRequests.isStreamOpen
            }
            // A stream counts as proven once data arrives `provenAge` after its opening. The stream repeats
            // an event that the long poll already delivered, and then sends a new event.
            fixture.time.pass(TransportSelector.provenAge)
            let last = thread.grow()
            stream.value?.write("data: \(event("m1"))\n\ndata: \(event(last))\n\n")
            try await eventually("the feed uses the stream") {
                // The age of the stream is measured from the first poll after its opening.
                fixture.time.pass(.seconds(1))
                stream.value?.write(": beat\n\n")
                return feed.status.transport == "stream"
            }
            try await eventually("the last message is stored") {
                try !fixture.store.read { try $0.messages.find(last) }.isEmpty
            }
        }
        #expect(try fixture.logged(.messageCreated).count == 2)
        #expect(try fixture.pending().sorted { $0.rawValue < $1.rawValue } == ["m1", "m2"])
    }

    @Test func `The feed sends only one stream request and one poll request if no request fails`()
        async throws
    {
        let stream = Shared<RawConnection?>(nil)
        let api = try Self.api(
            Thread(),
            [
                ScriptedAPI.stream: { connection, _, _ in
                    connection.beginStream()
                    stream.value = connection
                    return connection.waitForClose()
                }
            ])
        let fixture = try IngestFixture(.never)
        let feed = try fixture.unit(at: api.url, by: nil, every: .seconds(1), random: 0).feed
        try await running(feed.run) {
            try await eventually("the feed uses the stream") { feed.status.transport == "stream" }
            for second in 1...20 {
                fixture.time.pass(.seconds(1))
                stream.value?.write(": beat\n\n")
                try await eventually("the heartbeat is received") {
                    feed.connection.pollRequests.lastDataAge[.stream] == .seconds(second)
                }
            }
        }
        #expect(api.requestCount(of: ScriptedAPI.stream) == 1 && api.requestCount(of: ScriptedAPI.list) == 1)
        #expect(api.requestCount(of: ScriptedAPI.events) == 0)
    }
}
