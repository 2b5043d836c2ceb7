import CutieAPI
import Sandbox
import TestSupport
import Testing

@Suite struct EventStreamTests {
    @Test func `An event stream begins with the retry time and a heartbeat, followed by replies`()
        async throws
    {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let conversation = try await device.begin()
            let stream = try OpenStream(device)
            defer { stream.close() }
            try await stream.opened()
            let reply = try await admin.reply("Found it", to: conversation)
            let event = try #require(try await stream.events(1).first)
            #expect(stream.records[0] == "retry: 10000")
            #expect(stream.records[1].hasPrefix(":"))
            #expect(stream.records[2].hasPrefix("id: \(event.id)\nevent: message.created\ndata: {"))
            guard case .messageCreated(let data) = event.payload else {
                Issue.record("not a message: \(event)")
                return
            }
            #expect(data.message == reply)
            #expect(data.message.senderType == .admin)
            #expect(data.unreadCount == 1 && data.totalUnread == 1)
            #expect(data.conversation?.title == "Trouble")
            #expect(event.createdAt == reply.createdAt)
        }
    }

    @Test func `A stream that resumes after an event ID sends all later events and no other events`()
        async throws
    {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let conversation = try await device.begin()
            let start = try #require(try await device.poll(after: nil).cursor)
            for number in 1...5 { try await admin.reply("\(number)", to: conversation) }
            let events = try await device.poll(after: start).events
            let stream = try OpenStream(device, after: events[1].id)
            defer { stream.close() }
            try await stream.events(3)
            try await admin.reply("6", to: conversation)
            #expect(try await stream.events(4).compactMap(\.text) == ["3", "4", "5", "6"])
        }
    }

    @Test func `Switching from replayed to live events neither loses nor repeats an event`() async throws {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let conversation = try await device.begin()
            let start = try #require(try await device.poll(after: nil).cursor)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in 1...150 { try await admin.reply("\(number)", to: conversation) }
                }
                let streams = try await (0..<5).asyncMap { _ in
                    try await eventually("some progress") {
                        try await device.poll(after: start).events.count > 0
                    }
                    return try OpenStream(device, after: start)
                }
                for stream in streams {
                    let texts = try await stream.events(150).compactMap(\.text)
                    #expect(texts == (1...150).map(String.init))
                    stream.close()
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(arguments: ["nonsense", "0000000000000-0000000000000001", "99999999999ffff-0000000000000000"])
    func `An event ID from an earlier run of the server causes a reset, after which the stream continues`(
        id: String
    )
        async throws
    {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let conversation = try await device.begin()
            let stream = try OpenStream(device, after: Event.ID(id))
            defer { stream.close() }
            let reset = try #require(try await stream.events(1).first)
            #expect(reset.payload == .reset)
            try await admin.reply("later", to: conversation)
            #expect(try await stream.events(2).last?.text == "later")
            #expect(try await device.poll(after: reset.id).events.compactMap(\.text) == ["later"])
        }
    }

    @Test func `An event ID that is older than the event log causes a reset, and a newer event ID does not`()
        async throws
    {
        try await withSandbox({ $0.retainedEvents = 50 }) { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let conversation = try await device.begin()
            let start = try #require(try await device.poll(after: nil).cursor)
            try await admin.replyMany(200, to: conversation)
            let first = try await device.poll(after: start)
            #expect(first.events.map(\.payload) == [.reset])
            #expect(first.cursor == first.events.first?.id)
            let stream = try OpenStream(device, after: first.cursor)
            defer { stream.close() }
            try await admin.reply("now", to: conversation)
            #expect(try await stream.events(1).compactMap(\.text) == ["now"])
        }
    }

    @Test func `Heartbeats are sent at the configured interval`() async throws {
        try await withSandbox({ $0.heartbeat = .milliseconds(60) }) { sandbox in
            let stream = try OpenStream(try await sandbox.device())
            defer { stream.close() }
            try await eventually("five heartbeats") { stream.heartbeats >= 5 }
            #expect(stream.events.isEmpty)
        }
    }

    @Test func `Internal notes and the events of other users are not sent`() async throws {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let other = try await sandbox.device()
            let (conversation, foreign) = (try await device.begin(), try await other.begin())
            let stream = try OpenStream(device)
            defer { stream.close() }
            try await stream.opened()
            try await admin.reply("not for you", to: foreign)
            try await admin.reply("a note", to: conversation, note: true)
            try await admin.reply("for you", to: conversation)
            #expect(try await stream.events(1).compactMap(\.text) == ["for you"])
            #expect(!stream.text.contains("not for you") && !stream.text.contains("a note"))
        }
    }

    @Test func `Revoking a device ends its event stream, and the device cannot open a new stream`()
        async throws
    {
        try await withSandbox { sandbox in
            let (device, admin) = (try await sandbox.device(), try await sandbox.admin())
            let stream = try OpenStream(device)
            defer { stream.close() }
            try await stream.opened()
            #expect(try await admin.call("POST", "/v1/sandbox/devices/\(device.id)/revoke").status == 200)
            try await eventually("end of the stream") { stream.isEnded }
            #expect(try await device.call("GET", "/v1/events/stream").status == 401)
        }
    }

    @Test func `A client that does not accept the media type of event streams gets an error`() async throws {
        try await withSandbox { sandbox in
            let device = try await sandbox.device()
            let answer = try await device.call("GET", "/v1/events/stream", nil, ["Accept": "text/html"])
            #expect(answer.status == 406)
        }
    }
}

extension Event {
    /// The message text of a message event; `nil` for any other event.
    var text: String? {
        if case .messageCreated(let data) = payload { data.message.text } else { nil }
    }
}

extension Sequence {
    func asyncMap<Value>(_ change: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await change(element)) }
        return values
    }
}
