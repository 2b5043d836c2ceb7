import Foundation
import TestSupport
import Testing

@Suite struct `Snoozes and reminders` {
    private static let ended = "The snooze of this conversation has ended."

    private func run(_ fixture: EndToEndFixture, _ arguments: [String]) async throws -> (
        code: Int32, error: String
    ) {
        let program = try fixture.daemon.startVerb(arguments)
        let code = try await program.waitForExit()
        return (code, program.standardError)
    }

    private func snooze(_ fixture: EndToEndFixture, _ thread: String, _ end: String) async throws {
        let verb = try await fixture.daemon.ctl("snooze", thread, end)
        #expect(verb.code == 0, "\(verb)")
    }

    private func ends(_ fixture: EndToEndFixture) throws -> [String] {
        try fixture.notificationServer.notifications.filter { $0.body == Self.ended }.map(\.summary)
    }

    @Test
    func
        `When a snooze ends, one notification shows the conversation's title, even if the daemon was killed`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let thread = try await fixture.daemon.startConversation("Printing fails")
            try await snooze(fixture, "cutie://conversation/\(thread)?account=default", "1h")
            let list = try await fixture.daemon.ctl("snooze", "--list").output
            #expect(list.contains(thread) && list.contains("open, snoozed until"))
            try await snooze(fixture, thread, "2s")
            try await eventually("the end of the snooze is shown") { try ends(fixture) == ["Printing fails"] }
            #expect(try await fixture.daemon.ctl("snooze", "--list").output == "no conversations\n")
            for _ in 0..<2 {
                try await fixture.daemon.killProcess()
                try await fixture.daemon.start()
                try await fixture.daemon.waitUntilConnected()
            }
            try await fixture.sandbox.reply("An answer", in: thread)
            _ = try await fixture.notificationServer.waitForNotifications(atLeast: 2)
            #expect(try ends(fixture) == ["Printing fails"])
        }
    }

    @Test func `A snooze that ended while the daemon was stopped is reported once on the next launch`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let thread = try await fixture.daemon.startConversation("Printing fails")
            try await snooze(fixture, thread, "2s")
            let end = ContinuousClock.now + .seconds(2)
            try await fixture.daemon.killProcess()
            try await Task.sleep(until: end)
            try await fixture.daemon.start()
            try await eventually("the end of the snooze is shown") { try ends(fixture) == ["Printing fails"] }
            try await fixture.daemon.restart()
            try await fixture.daemon.waitUntilConnected()
            try await fixture.sandbox.reply("An answer", in: thread)
            _ = try await fixture.notificationServer.waitForNotifications(atLeast: 2)
            #expect(try ends(fixture) == ["Printing fails"])
        }
    }

    @Test func `When a snooze ends, the notification is held during a pause, and is suppressed by a mute`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let held = try await fixture.daemon.startConversation("Held")
            let muted = try await fixture.daemon.startConversation("Muted")
            #expect(try await fixture.daemon.ctl("pause", "1h").code == 0)
            try await snooze(fixture, held, "1s")
            try await snooze(fixture, muted, "1s")
            #expect(try await fixture.daemon.ctl("mute", muted).code == 0)
            try await eventually("both snoozes have ended") {
                try await fixture.daemon.ctl("snooze", "--list").output == "no conversations\n"
            }
            #expect(try fixture.notificationServer.notifications.isEmpty)
            #expect(try await fixture.daemon.ctl("resume").code == 0)
            try await eventually("the end of one snooze is shown") { try ends(fixture) == ["Held"] }
            #expect(try await fixture.daemon.ctl("unmute", muted).code == 0)
            try await fixture.sandbox.reply("An answer", in: muted)
            _ = try await fixture.notificationServer.waitForNotifications(atLeast: 2)
            #expect(try ends(fixture) == ["Held"])
        }
    }

    @Test func `A reply or the command ctl unsnooze ends a snooze, and the snooze causes no notification`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let (answered, ended) = (
                try await fixture.daemon.startConversation("Answered"),
                try await fixture.daemon.startConversation("Ended")
            )
            try await snooze(fixture, answered, "20s")
            try await snooze(fixture, ended, "20s")
            let end = ContinuousClock.now + .seconds(20)
            try await fixture.sandbox.reply("An answer", in: answered)
            _ = try await fixture.notificationServer.waitForNotifications(atLeast: 1)
            #expect(try await fixture.daemon.ctl("unsnooze", ended).code == 0)
            #expect(try await fixture.daemon.ctl("snooze", "--list").output == "no conversations\n")
            try await Task.sleep(until: end)
            // When this later reply is shown, all earlier events have been handled.
            try await fixture.sandbox.reply("Another answer", in: ended)
            _ = try await fixture.notificationServer.waitForNotifications(atLeast: 2)
            #expect(try ends(fixture) == [])
        }
    }

    @Test func `Snoozing or muting a conversation closes its notification`() async throws {
        try await EndToEndFixture.with { fixture in
            for verb in [["snooze", "tomorrow"], ["mute"]] {
                let thread = try await fixture.daemon.startConversation("To " + verb[0])
                try await fixture.sandbox.reply("An answer", in: thread)
                try await eventually("the reply is shown") {
                    try fixture.notificationServer.notifications.contains {
                        $0.summary.hasSuffix("To " + verb[0])
                    }
                }
                let shown = try #require(
                    try fixture.notificationServer.notifications.last {
                        $0.summary.hasSuffix("To " + verb[0])
                    })
                let done = try await run(fixture, [verb[0], thread] + verb.dropFirst())
                #expect(done.code == 0, "\(done)")
                try await eventually("the notification is closed") {
                    try fixture.notificationServer.closeRequests.contains(shown.id)
                }
            }
        }
    }

    private static let mistakes: [(arguments: [String], code: Int32)] = [
        (["snooze", "conv_none", "1h"], 66), (["snooze", "conv_none", "yesterday"], 64),
        (["snooze", "conv_none"], 64), (["snooze"], 64), (["snooze", "conv_none", "0s"], 64),
        (["snooze", "--list", "conv_none"], 64), (["snooze", "cutie://setup?app_id=a", "1h"], 64),
        (["snooze", "cutie://", "1h"], 64), (["unsnooze", "conv_none"], 66),
    ]

    @Test(arguments: mistakes)
    func `An invalid snooze has no effect, and the error names the invalid value`(
        arguments: [String], code: Int32
    )
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let verb = try await run(fixture, arguments)
            #expect(verb.code == code, "\(verb)")
            #expect(!verb.error.isEmpty)
        }
    }
}
