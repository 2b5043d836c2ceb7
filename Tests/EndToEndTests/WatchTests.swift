import Foundation
import TestSupport
import Testing

@Suite struct `The verbs wait and watch` {
    @Test func `The verb wait exits with 1 on timeout, and returns as soon as the daemon is connected`()
        async throws
    {
        try await Household.with({ $0.isConnected = false }) { home in
            #expect(try await home.daemon.ctl("wait", "--timeout", "1").code == 1)
            try await home.sandbox.stop()
            let up = try home.daemon.begin(["wait", "--timeout", "30"])
            let connected = try home.daemon.begin(["wait", "--connected", "--timeout", "60s"])
            try await home.daemon.start()
            #expect(try await up.exit() == 0)
            #expect(connected.isRunning)
            #expect(try await home.daemon.ctl("wait", "--connected", "--timeout", "1").code == 1)
            try await home.sandbox.start()
            #expect(try await connected.exit() == 0)
            #expect(try await home.daemon.status().state == "connected")
        }
    }

    @Test func `The verb watch misses and repeats nothing across restarts of the daemon`() async throws {
        try await Household.with { home in
            var replies = try await ConversationActions(of: 3, in: home)
            let watch = try home.daemon.begin(["watch", "--since", "0", "--json"])
            try await replies.send(5)
            try await home.daemon.restart()
            try await replies.send(5)
            try await home.daemon.die()
            try await replies.send(5)
            try await home.daemon.start()
            try await home.daemon.badge(15)
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

    @Test func `A line about an app or a session names it, also in JSON`() async throws {
        try await Household.with { home in
            struct Configured: Decodable { let account: String }
            let access = home.daemon.access
            let call = ["appId": home.sandbox.appID, "apiUrl": home.sandbox.url, "appName": "Notes"]
            async let configured: Configured = access.call("Configure", call)
            try await home.daemon.answerApp("allow")
            _ = try await configured
            let text = try home.daemon.begin(["watch", "--since", "0"])
            let json = try home.daemon.begin(["watch", "--since", "0", "--json"])
            try await eventually("the app is in both") {
                text.lines.contains { $0.contains("access.granted  Notes (executable:") }
                    && json.lines.contains {
                        $0.contains("access.granted") && $0.contains(#""appName":"Notes""#)
                    }
            }
        }
    }

    @Test func `A sequence number that is not in the log yields a reset`() async throws {
        try await Household.with { home in
            let watch = try home.daemon.begin(["watch", "--since", "4711", "--json"])
            try await eventually("a reset") { try watch.entries.contains { $0.type == "reset" } }
            let conversation = try await home.daemon.converse("After the reset")
            let message = try await home.sandbox.reply("Seen", in: conversation)
            try await eventually("what follows") { try watch.entries.contains { $0.message == message } }
        }
    }

    @Test func `The verb watch ends quietly when its reader is gone`() async throws {
        try await Household.with { home in
            let cutied = try BuiltProduct.path(of: "cutied")
            let head = try SpawnedProgram(
                "/bin/sh", ["-c", "'\(cutied)' ctl watch --since 0 --json | head -n 1; echo ended"],
                environment: home.daemon.environment)
            #expect(try await head.exit() == 0)
            #expect(head.lines.last == "ended")
            #expect(head.standardError.isEmpty)
        }
    }

    @Test func `Waybar gets a line at once and after each change`() async throws {
        try await Household.with({ $0.isConnected = false }) { home in
            let bar = try home.daemon.begin(["watch", "--waybar"])
            try await bar.last { $0.class == "offline" && $0.text.isEmpty }
            try await home.daemon.start()
            try await bar.last { $0.class == "none" && $0.text.isEmpty }
            let conversation = try await home.daemon.converse("Fish & <chips>")
            try await home.sandbox.reply("One", in: conversation)
            let line = try await bar.last { $0.class == "unread" && $0.text == "1" }
            #expect(line.tooltip.contains("Fish &amp; &lt;chips&gt;"))
            #expect(line.percentage == 1)
            _ = try await home.daemon.ctl("pause", "1h")
            try await bar.last { $0.class == "paused" && $0.text == "1" }
            _ = try await home.daemon.ctl("resume")
            try await bar.last { $0.class == "unread" }
            _ = try await home.daemon.ctl("clear-badge")
            try await bar.last { $0.class == "none" && $0.text.isEmpty }
            try await home.daemon.stop()
            try await bar.last { $0.class == "offline" }
            try await home.daemon.start()
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

    /// Waits until the newest line meets `condition`, and returns it.
    @discardableResult
    func last(_ condition: (WaybarLine) -> Bool) async throws -> WaybarLine {
        var line: WaybarLine?
        try await eventually("that line; last: \(lines.last ?? "")") {
            line = try lines.last.map { try JSONDecoder().decode(WaybarLine.self, from: Data($0.utf8)) }
            return line.map(condition) ?? false
        }
        return try #require(line)
    }
}
