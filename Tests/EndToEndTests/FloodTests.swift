import TestSupport
import Testing

@Suite struct `Floods of replies` {
    @Test func `Replies in thirty threads are shown in five notifications and one summary`() async throws {
        try await EndToEndFixture.with { fixture in
            var replies = try await ConversationActions(of: 30, in: fixture)
            try await fixture.sandbox.whileUnreachable { try await replies.send(30, through: $0) }
            try await fixture.daemon.waitForBadge(30)
            try await replies.send(60)
            try await fixture.daemon.waitForBadge(90)
            try await replies.announced()
            let notifications = try fixture.notificationServer.notifications
            #expect(Set(notifications.filter { !$0.isDigest }.map(\.id)).count <= 5)
            #expect(Set(notifications.filter(\.isDigest).map(\.id)).count == 1)
            try replies.expectOnScreen(90)
            try await replies.expectInLogOnce()
            try await replies.expectShownOnce()
            let digests = notifications.filter(\.isDigest)
            for (earlier, later) in zip(digests, digests.dropFirst()) {
                #expect(later.at - earlier.at >= 900_000_000, "a summary is updated at most once a second")
            }
        }
    }

    @Test func `After a week offline, five thousand replies are shown in five notifications and one summary`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let replies = try await ConversationActions(of: 20, in: fixture)
            try await fixture.daemon.stop()
            for conversation in replies.conversations {
                try await fixture.sandbox.sendReplies((0..<250).map { "Reply \($0)" }, in: conversation)
            }
            try await fixture.daemon.start()
            try await fixture.daemon.waitForBadge(5000)
            try await eventually("all replies are on the screen") {
                try fixture.notificationServer.standingFor.values.reduce(0, +) == 5000
            }
            try fixture.notificationServer.expectWithinLimits()
            for conversation in replies.conversations {
                let texts = try await fixture.daemon.fetchThread(conversation).messages.dropFirst().map(
                    \.message)
                #expect(texts == (0..<250).map { "Reply \($0)" })
            }
        }
    }

    @Test func `A flood of streamed replies does not exceed the rate limit of the notification server`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let replies = try await ConversationActions(of: 4, in: fixture)
            for number in 0..<25 {
                for conversation in replies.conversations {
                    try await fixture.sandbox.sendReplies(
                        (0..<50).map { "\(number), \($0)" }, in: conversation)
                }
            }
            try await fixture.daemon.waitForBadge(5000)
            try await eventually("all replies are on the screen") {
                try fixture.notificationServer.standingFor.values.reduce(0, +) == 5000
            }
            try fixture.notificationServer.expectWithinLimits()
        }
    }

    @Test func `A click on the summary opens the newest reply, and "read --all" closes all notifications`()
        async throws
    {
        try await EndToEndFixture.with({ $0.configuration = "notifications: {max_popups: 1}" }) { fixture in
            var replies = try await ConversationActions(of: 4, in: fixture)
            try await replies.send(4)
            try await replies.announced()
            let summary = try #require(try fixture.notificationServer.notifications.last { $0.isDigest })
            try await fixture.notificationServer.invoke("default", on: summary.id)
            try await eventually("the opener ran") { !fixture.opened.isEmpty }
            #expect(fixture.opened[0].contains(replies.conversations[3]))
            #expect(try await fixture.daemon.ctl("read", "--all").code == 0)
            try await eventually("no notification is visible") {
                try fixture.notificationServer.standingFor.isEmpty
            }
        }
    }

    @Test func `After a notification is closed, the next reply gets its own notification again`() async throws
    {
        try await EndToEndFixture.with({ $0.configuration = "notifications: {max_popups: 2}" }) { fixture in
            var replies = try await ConversationActions(of: 3, in: fixture)
            try await replies.send(2)
            let first = try await fixture.notificationServer.waitForNotifications(atLeast: 2)[0]
            try await fixture.notificationServer.close(first.id)
            try await eventually("the notification is closed in the ledger") {
                try await fixture.daemon.fetchLedger(of: replies.sent[0].id).stages.last == "closed"
            }
            try await replies.send(1)
            let third = try await fixture.notificationServer.waitForNotifications(atLeast: 3)[2]
            #expect(third.summary == "Support — Thread 2")
        }
    }

    @Test func `Internal notes and system messages are never announced, and notes are not stored`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Behind the scenes")
            try await fixture.sandbox.reply("The customer is right", in: conversation, note: true)
            let closed = try await fixture.sandbox.sendReplies(["Closed"], in: conversation, from: "system")[
                0]
            try await fixture.sandbox.reply("Seen", in: conversation)
            #expect(
                try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0].body.hasSuffix(
                    "Seen"))
            #expect(try fixture.notificationServer.notifications.count == 1)
            let thread = try await fixture.daemon.fetchThread(conversation)
            #expect(thread.messages.map(\.message) == ["How do I?", "Closed", "Seen"])
            #expect(
                try await fixture.daemon.fetchLedger(of: closed).steps.last?.detail
                    == "not shown: system messages are off")
            #expect(try await fixture.daemon.ctl("search", "customer").output.contains("nothing found"))
            #expect(
                try await fixture.daemon.fetchStatus().badge.total == fixture.makeDevice().fetchTotalUnread())
        }
    }
}

extension RecordingNotificationServer {
    /// Checks the limits: at most five notifications, one summary, and 80 calls per second, measured by the
    /// notification server.
    fileprivate func expectWithinLimits() throws {
        let shown = notifications
        #expect(Set(shown.filter { !$0.isDigest }.map(\.id)).count <= 5)
        #expect(Set(shown.filter(\.isDigest).map(\.id)).count <= 1)
        for (index, first) in shown.enumerated() {
            let second = shown[index...].prefix { $0.at - first.at < 1_000_000_000 }
            if second.count > 80 { Issue.record("\(second.count) calls within a second") }
        }
    }
}
