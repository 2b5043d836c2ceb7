import Foundation
import TestSupport
import Testing

@Suite struct `The verbs "wait" and "watch"` {
    @Test func `The command ctl wait exits with 1 on timeout, and with 0 once the daemon is connected`()
        async throws
    {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            #expect(try await fixture.daemon.ctl("wait", "--timeout", "1").code == 1)
            try await fixture.sandbox.stop()
            let up = try fixture.daemon.startVerb(["wait", "--timeout", "30"])
            let connected = try fixture.daemon.startVerb(["wait", "--connected", "--timeout", "60s"])
            try await fixture.daemon.start()
            #expect(try await up.waitForExit() == 0)
            #expect(connected.isRunning)
            #expect(try await fixture.daemon.ctl("wait", "--connected", "--timeout", "1").code == 1)
            try await fixture.sandbox.start()
            #expect(try await connected.waitForExit() == 0)
            #expect(try await fixture.daemon.fetchStatus().state == "connected")
        }
    }

    @Test func `The command ctl watch neither misses nor repeats entries across restarts of the daemon`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            var replies = try await ConversationActions(of: 3, in: fixture)
            let watch = try fixture.daemon.startVerb(["watch", "--since", "0", "--json"])
            try await replies.send(5)
            try await fixture.daemon.restart()
            try await replies.send(5)
            try await fixture.daemon.killProcess()
            try await replies.send(5)
            try await fixture.daemon.start()
            try await fixture.daemon.waitForBadge(15)
            try await eventually("the last reply in the watch") {
                try watch.entries.contains { $0.message == replies.sent.last?.id }
            }
            let entries = try watch.entries.filter { $0.type != "snapshot" }
            let sequences = entries.map(\.sequence)
            #expect(sequences == Array(1...(sequences.last ?? 0)))
            let seen = entries.filter { $0.type == "message.created" }.compactMap(\.message)
            for reply in replies.sent { #expect(seen.filter { $0 == reply.id }.count == 1) }
            #expect(try watch.entries.first?.type == "snapshot")
        }
    }

    @Test func `An event about the access of an app contains the app's name, both as text and as JSON`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            struct Configured: Decodable { let account: String }
            let access = fixture.daemon.access
            let call = ["appId": fixture.sandbox.appID, "apiUrl": fixture.sandbox.url, "appName": "Notes"]
            async let configured: Configured = access.call("Configure", call)
            try await fixture.daemon.answerApp("allow")
            _ = try await configured
            let text = try fixture.daemon.startVerb(["watch", "--since", "0"])
            let json = try fixture.daemon.startVerb(["watch", "--since", "0", "--json"])
            try await eventually("both outputs contain the app") {
                text.lines.contains { $0.contains(#/access\.granted  Notes \(\/[^:]+\)$/#) }
                    && json.lines.contains {
                        $0.contains("access.granted") && $0.contains(#""appName":"Notes""#)
                    }
            }
        }
    }

    @Test func `Watchers get a reset before new entries if their sequence number is not in the event log`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let watch = try fixture.daemon.startVerb(["watch", "--since", "4711", "--json"])
            try await eventually("a reset") { try watch.entries.contains { $0.type == "reset" } }
            let conversation = try await fixture.daemon.startConversation("After the reset")
            let message = try await fixture.sandbox.reply("Seen", in: conversation)
            try await eventually("the next message") { try watch.entries.contains { $0.message == message } }
        }
    }

    @Test
    func `The command ctl watch exits without an error when the reader of its output has closed the pipe`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let cutied = try BuiltProduct.path(of: "cutied")
            let head = try SpawnedProgram(
                "/bin/sh", ["-c", "'\(cutied)' ctl watch --since 0 --json | head -n 1; echo ended"],
                environment: fixture.daemon.environment)
            #expect(try await head.waitForExit() == 0)
            #expect(head.lines.last == "ended")
            #expect(head.standardError.isEmpty)
        }
    }

    @Test func `Waybar gets a line immediately and after each change`() async throws {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            let bar = try fixture.daemon.startVerb(["watch", "--waybar"])
            try await bar.last { $0.class == "offline" && $0.text.isEmpty }
            try await fixture.daemon.start()
            try await bar.last { $0.class == "none" && $0.text.isEmpty }
            let conversation = try await fixture.daemon.startConversation("Fish & <chips>")
            try await fixture.sandbox.reply("One", in: conversation)
            let line = try await bar.last { $0.class == "unread" && $0.text == "1" }
            #expect(line.tooltip.contains("Fish &amp; &lt;chips&gt;"))
            #expect(line.percentage == 1)
            _ = try await fixture.daemon.ctl("pause", "1h")
            try await bar.last { $0.class == "paused" && $0.text == "1" }
            _ = try await fixture.daemon.ctl("resume")
            try await bar.last { $0.class == "unread" }
            _ = try await fixture.daemon.ctl("clear-badge")
            try await bar.last { $0.class == "none" && $0.text.isEmpty }
            try await fixture.daemon.stop()
            try await bar.last { $0.class == "offline" }
            try await fixture.daemon.start()
            try await bar.last { $0.class == "none" }
        }
    }
}

struct WaybarLine: Decodable {
    let text: String
    let alt: String
    let tooltip: String
    let `class`: String
    let percentage: Int
}

extension SpawnedProgram {
    fileprivate var entries: [LogRecord] {
        get throws { try lines.map { try JSONDecoder().decode(LogRecord.self, from: Data($0.utf8)) } }
    }

    /// Waits until the newest line meets `condition`. Returns the line.
    @discardableResult
    func last(_ condition: (WaybarLine) -> Bool) async throws -> WaybarLine {
        var line: WaybarLine?
        try await eventually("the expected line; last: \(lines.last ?? "")") {
            line = try lines.last.map { try JSONDecoder().decode(WaybarLine.self, from: Data($0.utf8)) }
            return line.map(condition) ?? false
        }
        return try #require(line)
    }
}
