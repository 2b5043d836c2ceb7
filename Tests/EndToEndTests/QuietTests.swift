import Foundation
import TestSupport
import Testing

@Suite struct `Pauses and quiet hours` {
    @Test func `Replies are held during a pause, and are shown in one summary when the pause ends`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            var replies = try await ConversationActions(of: 3, in: fixture)
            #expect(try await fixture.daemon.ctl("pause", "1h").code == 0)
            try await replies.send(6)
            try await fixture.daemon.waitForBadge(6)
            for message in replies.sent {
                try await eventually("the reply is held") {
                    try await fixture.daemon.fetchLedger(of: message.id).steps.last?.detail?.hasPrefix(
                        "paused until")
                        == true
                }
            }
            #expect(try fixture.notificationServer.notifications.isEmpty)
            try await fixture.daemon.restart()
            #expect(try await fixture.daemon.fetchStatus().paused)
            #expect(try await fixture.daemon.ctl("resume").code == 0)
            let popup = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            #expect(popup.summary == "6 unread replies")
            #expect(popup.body.hasPrefix("in 3 conversations"))
            try await replies.announced()
            try await replies.expectShownOnce()
            #expect(try fixture.notificationServer.notifications.count == 1)
        }
    }

    @Test func `A pause ends automatically, even if the daemon was restarted during the pause`() async throws
    {
        try await EndToEndFixture.with { fixture in
            var replies = try await ConversationActions(of: 2, in: fixture)
            #expect(try await fixture.daemon.ctl("pause", "2s").code == 0)
            try await replies.send(2)
            try await fixture.daemon.restart()
            try await replies.announced()
            #expect(try await !fixture.daemon.fetchStatus().paused)
            try await replies.expectShownOnce()
        }
    }

    @Test func `Urgent replies are shown during a pause`() async throws {
        try await EndToEndFixture.with { fixture in
            let calm = try await fixture.daemon.startConversation("Calm"),
                urgent = try await fixture.daemon.startConversation("Urgent")
            try await fixture.sandbox.setPriority("urgent", of: urgent)
            #expect(try await fixture.daemon.ctl("pause").code == 0)
            try await fixture.sandbox.reply("Whenever", in: calm)
            try await fixture.sandbox.reply("Now!", in: urgent)
            let popup = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            #expect(popup.body == "Now!")
            #expect(popup.hints["urgency"] == "2")
            try await fixture.daemon.waitForBadge(2)
            #expect(try fixture.notificationServer.notifications.count == 1)
        }
    }

    @Test func `During a private pause, notifications announce a reply without its text`() async throws {
        try await EndToEndFixture.with { fixture in
            #expect(try await fixture.daemon.ctl("pause", "--private").code == 0)
            #expect(try await fixture.daemon.fetchStatus().private)
            let popup = try await fixture.showReply("Salary negotiation", "The offer is ...")
            #expect(popup.summary == "1 new reply")
            #expect(popup.body.isEmpty)
            #expect(!popup.hints.values.contains { $0.contains("Salary") })
        }
    }

    @Test func `Replies that arrive while notifications are off are not shown later`() async throws {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Off and on")
            #expect(try await fixture.daemon.ctl("notifications", "off").code == 0)
            let missed = try await fixture.sandbox.reply("Missed", in: conversation)
            try await fixture.daemon.waitForBadge(1)
            try await fixture.daemon.restart()
            #expect(try await fixture.daemon.fetchStatus().notifications == false)
            #expect(try await fixture.daemon.ctl("notifications", "on").code == 0)
            try await fixture.sandbox.reply("Seen", in: conversation)
            #expect(try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0].body == "Seen")
            #expect(
                try await fixture.daemon.fetchLedger(of: missed).steps.last?.detail
                    == "not shown: notifications are off")
        }
    }

    @Test func `Replies during quiet hours are held and then shown in one summary`() async throws {
        let hour = Calendar(identifier: .gregorian).dateComponents(in: .gmt, from: .now).hour ?? 0
        func clock(_ hour: Int) -> String { String(format: "%02d:00", (hour + 24) % 24) }
        let now = "\(clock(hour - 1))-\(clock(hour + 2))", later = "\(clock(hour + 4))-\(clock(hour + 5))"
        try await EndToEndFixture.with({ $0.configuration = "notifications: {quiet_hours: \"\(now)\"}" }) {
            fixture in
            var replies = try await ConversationActions(of: 2, in: fixture)
            try await replies.send(4)
            try await eventually("the reply is held") {
                try await fixture.daemon.fetchLedger(of: replies.sent[3].id).steps.last?.detail
                    == "quiet hours until \(clock(hour + 2))"
            }
            try await fixture.daemon.waitForBadge(4)
            #expect(try fixture.notificationServer.notifications.isEmpty)
            try fixture.configure("notifications: {quiet_hours: \"\(later)\"}")
            #expect(try await fixture.daemon.ctl("reload").code == 0)
            #expect(
                try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0].summary
                    == "4 unread replies")
            try await replies.announced()
            try await replies.expectShownOnce()
        }
    }

    @Test func `A reply that is read during a pause is not shown after the pause`() async throws {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Read in time")
            let other = try await fixture.daemon.startConversation("Not read")
            #expect(try await fixture.daemon.ctl("pause", "1h").code == 0)
            try await fixture.sandbox.reply("Read", in: conversation)
            try await fixture.sandbox.reply("Unread", in: other)
            try await fixture.daemon.waitForBadge(2)
            #expect(try await fixture.daemon.ctl("read", conversation).code == 0)
            #expect(try await fixture.daemon.ctl("resume").code == 0)
            let popup = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            #expect(popup.body == "Unread")
            #expect(try fixture.notificationServer.notifications.count == 1)
        }
    }
}
