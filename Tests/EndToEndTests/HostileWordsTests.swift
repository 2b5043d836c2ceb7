import Foundation
import TestSupport
import Testing

@Suite struct `Hostile text from the server` {
    @Test
    func `Conversations and accounts are kept separate even if message and event IDs are reused or decrease`()
        async throws
    {
        let liar = try ScriptedAPI([
            ScriptedAPI.stream: { connection, _, _ in
                connection.beginStream()
                connection.reply("9", "m1", in: "c1", #","message":"the first""#)
                connection.reply("5", "m1", in: "c2", #","message":"its id again""#)
                connection.reply("5", "m2", in: "c1", #","message":"its event's id again""#)
                connection.reply("-1", "m3", in: "c1", #","message":"backwards""#)
                connection.reply("", "m4", in: "c2", #","message":"no id""#)
                connection.reply("0", "m5", in: "c1", #","message":"the end""#)
                return connection.waitForClose()
            }
        ])
        try await EndToEndFixture.with(liar) { fixture in
            let same = try await fixture.daemon.startConversation("True", account: "honest")
            let reply = try await fixture.sandbox.reply("honest", in: same)
            try await fixture.daemon.waitForStatus("the last replies") {
                $0["liar"]?.badge.conversations["c1"] == 4 && $0["honest"]?.badge.total == 1
            }
            #expect(
                try await fixture.texts(in: "c1") == [
                    "the first", "its event's id again", "backwards", "the end",
                ])
            #expect(try await fixture.texts(in: "c2") == ["its id again", "no id"])
            #expect(try await fixture.texts(in: same).last == "honest")
            try await eventually("the reply of the other account is shown") {
                try await fixture.daemon.fetchLedger(of: reply).stages.contains("shown")
            }
            #expect(
                try await Set(fixture.daemon.fetchLoggedMessages()).isSuperset(of: ["m1", "m2", "m3", "m5"]))
        }
    }

    @Test func `Times and counts at the limits of Int64 do not cause a crash`() async throws {
        let ends = ["9223372036854775807", "-9223372036854775808", "1e300", "0", "1780000000"]
        let liar = try ScriptedAPI([
            ScriptedAPI.stream: { connection, _, _ in
                connection.beginStream()
                for (index, number) in ends.enumerated() {
                    connection.event(
                        "e\(index)", "message.created",
                        #"{"conversation_id":"c\#(index)","unread_count":\#(number),"#
                            + #""total_unread":\#(number),"message":{"message_id":"m\#(index)","#
                            + #""sender_type":"admin","message":"at an end","created_at":\#(number)}}"#)
                    connection.event(
                        "u\(index)", "conversation.updated",
                        #"{"conversation":{"conversation_id":"c\#(index)","created_at":\#(number),"#
                            + #""message_count":\#(number),"unread_count":\#(number),"#
                            + #""updated_at":\#(number)}}"#)
                    connection.event(
                        "r\(index)", "conversation.read",
                        #"{"conversation_id":"c\#(index)","unread_count":\#(number)}"#)
                    connection.event("b\(index)", "badge", #"{"total_unread":\#(number)}"#)
                }
                connection.reply("end", "m", in: "last", #","message":"the end""#)
                return connection.waitForClose()
            }
        ])
        try await EndToEndFixture.with(liar) { fixture in
            // The totals make the daemon request the conversation list. The list is empty, so the daemon may
            // delete the conversations again.
            try await eventually("the last message is logged") {
                try await fixture.daemon.fetchLoggedMessages().contains("m")
            }
            for verb in [["inbox"], ["show", "c0"], ["show", "c1"], ["explain", "m2"], ["status"]] {
                #expect([0, 66].contains(try await fixture.daemon.startVerb(verb).waitForExit()), "\(verb)")
            }
            try await fixture.expectHonestServed()
            try await fixture.daemon.restart()
            try await fixture.expectHonestServed()
        }
    }

    @Test func `Hostile names and messages are shown as plain text everywhere and cause no requests`()
        async throws
    {
        let trap = try RawServer { connection, _ in connection.waitForClose() }
        let liar = try ScriptedAPI([
            ScriptedAPI.stream: { connection, _, _ in
                connection.beginStream()
                let pictures = ["file:///etc/passwd", trap.url + "/a.png", "/etc/passwd"]
                for (index, picture) in pictures.enumerated() {
                    connection.event(
                        "\(index)", "message.created",
                        #"{"conversation_id":"c","conversation":{"title":"\#(Self.trick)"},"message":{"#
                            + #""message_id":"m\#(index)","sender_type":"admin","sender_name":"\#(Self.trick)","#
                            + #""sender_avatar_url":"\#(picture)","#
                            + #""message":"\#(Self.trick)<img src='\#(trap.url)/b.png'/>"}}"#)
                }
                return connection.waitForClose()
            }
        ])
        try await EndToEndFixture.with(liar) { fixture in
            try await fixture.daemon.waitForStatus("all replies") { $0["liar"]?.badge.total == 3 }
            try await eventually("all replies are shown") {
                try fixture.notificationServer.standingFor.values.reduce(0, +) == 3
            }
            for popup in try fixture.notificationServer.notifications {
                #expect(popup.isHarmless, "\(popup)")
            }
            for verb in [["inbox"], ["show", "c"], ["search", "trick"], ["explain", "m0"], ["watch"]] {
                for verb in [verb, verb + ["--json"]] { try await fixture.expectHarmless(verb) }
            }
            #expect(fixture.daemon.journal.isHarmless)
            #expect(trap.connectionCount == 0)
        }
    }

    @Test func `The server's error message is printed without its escape sequences`() async throws {
        let liar = try ScriptedAPI([
            ScriptedAPI.list: { connection, _, _ in
                connection.answer("403 Forbidden", body: #"{"error":"\#(Self.trick)"}"#)
            }
        ])
        try await EndToEndFixture.with(liar) { fixture in
            let status = try await fixture.daemon.waitForStatus("the account is stopped") {
                $0["liar"]?.state == "stopped"
            }
            #expect(status["liar"]?.reason?.contains("trick") == true)
            try await fixture.expectHarmless(["status"])
            try await fixture.expectHarmless(["status", "--json"])
            #expect(fixture.daemon.journal.isHarmless)
        }
    }

    /// The content of a JSON string with markup, 7-bit and 8-bit terminal escape sequences, a NUL, and
    /// characters that change the text direction.
    private static let trick =
        #"trick <b>bold</b> & <\u0301i> <a href='file:///etc/passwd'>x</a>"#
        + #"\u001b[2J\u001b]0;owned\u0007\u009b31m\u0000\u202egpj.exe\u2066\r"#
}

extension EndToEndFixture {
    fileprivate func texts(in conversation: String) async throws -> [String] {
        try await daemon.fetchThread(conversation).messages.map(\.message)
    }

    /// Checks the output of a verb. Stops `watch`, which runs until interrupted, after all three messages.
    fileprivate func expectHarmless(_ verb: [String]) async throws {
        let isEndless = verb[0] == "watch"
        let program = try daemon.startVerb(verb + (isEndless ? ["--since", "0"] : []))
        if isEndless {
            try await eventually("all three messages") {
                program.lines.count { $0.contains("message.created") } == 3
            }
        } else {
            #expect(try await program.waitForExit() == 0, "\(verb): \(program.standardError)")
        }
        #expect(program.standardOutput.contains("trick") || verb[0] == "explain", "\(verb)")
        #expect(program.standardOutput.isHarmless, "\(verb): \(program.standardOutput.debugDescription)")
    }
}

extension RecordingNotificationServer.Notification {
    /// Whether all markup in the body is escaped and no image refers to a path or URL that the server chose.
    fileprivate var isHarmless: Bool {
        let pictures = hints.filter { $0.key.contains("image") || $0.key.contains("icon") }.values + [icon]
        let entity = /&(amp|lt|gt|quot|apos|#39);/.matchingSemantics(.unicodeScalar)
        let text = body.replacing(entity, with: "")
        return summary.isHarmless && body.isHarmless
            && !text.unicodeScalars.contains { "<>&".unicodeScalars.contains($0) }
            && !pictures.contains { $0.contains("/etc/") || $0.contains("://") }
    }
}

extension String {
    /// Whether the text contains neither control characters, except line feeds and tabs, nor characters that
    /// change the text direction.
    fileprivate var isHarmless: Bool {
        !unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x09, 0x0A: false
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }
}
