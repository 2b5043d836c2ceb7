import TestSupport
import Testing

@Suite struct `Notification servers that stop and start` {
    @Test func `Without a notification server, replies are held, and the next server shows one summary`()
        async throws
    {
        try await EndToEndFixture.with({ $0.hasNotificationServer = false }) { fixture in
            var replies = try await ConversationActions(of: 2, in: fixture)
            try await replies.send(4)
            try await fixture.daemon.waitForBadge(4)
            #expect(try await fixture.daemon.fetchStatus().notifier.available == false)
            for message in replies.sent {
                try await eventually("the reply is held") {
                    try await fixture.daemon.fetchLedger(of: message.id).steps.last?.detail
                        == "no notification server"
                }
            }
            try await fixture.showNotifications()
            let popup = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            #expect(popup.summary == "4 unread replies")
            try await replies.announced()
            try await replies.expectShownOnce()
            #expect(try fixture.notificationServer.notifications.count == 1)
            let ledger = try await fixture.daemon.fetchLedger(of: replies.sent[0].id)
            #expect(ledger.stages == ["stored", "held", "announcing", "shown"])
        }
    }

    @Test func `A new notification server shows the open notifications again`() async throws {
        try await EndToEndFixture.with { fixture in
            var replies = try await ConversationActions(of: 2, in: fixture)
            try await replies.send(2)
            _ = try await fixture.notificationServer.waitForNotifications(atLeast: 2)
            try await fixture.notificationServer.killProcess()
            try await replies.send(1)
            try await fixture.daemon.waitForStatus("no notification server") { !$0.notifier.available }
            var other = RecordingNotificationServer.Appearance()
            other.name = "another"
            other.firstID = 500
            try await fixture.showNotifications(as: other)
            try await eventually("all three replies are shown") {
                try fixture.notificationServer.standingFor.values.reduce(0, +) == 3
            }
            try await fixture.daemon.waitForStatus("another notification server") {
                $0.notifier.server?.contains("another") == true
            }
            try await replies.send(1)
            try await eventually("the fourth reply is shown") {
                try fixture.notificationServer.standingFor.values.reduce(0, +) >= 4
            }
            #expect(try fixture.notificationServer.standingFor.values.reduce(0, +) == 4)
            #expect(
                try fixture.notificationServer.notifications.allSatisfy {
                    $0.replaces == 0 || $0.replaces >= 500
                })
        }
    }

    @Test func `If a restart of the server goes undetected, the open notifications are still shown again`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            var replies = try await ConversationActions(of: 2, in: fixture)
            try await replies.send(2)
            _ = try await fixture.notificationServer.waitForNotifications(atLeast: 2)
            try await fixture.notificationServer.killProcess()
            try await fixture.showNotifications()
            try await replies.send(1)
            try await eventually("a notification of the new reply") {
                try fixture.notificationServer.notifications.contains {
                    $0.body.hasSuffix("Reply 2") || $0.isDigest
                }
            }
            try await replies.expectInLogOnce()
            try await fixture.daemon.waitForBadge(3)
        }
    }

    @Test func `With an unusable notification server, replies are held, and the reason is logged once`()
        async throws
    {
        try await EndToEndFixture.with({ $0.hasNotificationServer = false }) { fixture in
            var mute = RecordingNotificationServer.Appearance()
            mute.failing = ["GetServerInformation"]
            try await fixture.showNotifications(as: mute)
            var replies = try await ConversationActions(of: 2, in: fixture)
            try await replies.send(4)
            try await fixture.daemon.waitForBadge(4)
            try await eventually("the reason in the journal") {
                fixture.daemon.journal.contains("GetServerInformation failed")
            }
            // A working server must show the replies that are held.
            try await fixture.notificationServer.killProcess()
            try await fixture.showNotifications()
            try await replies.announced()
            try await replies.expectInLogOnce()
            let lines = fixture.daemon.journal.split(separator: "\n").filter {
                $0.contains("cannot be used") && $0.contains("GetServerInformation")
            }
            #expect(lines.count == 1)
        }
    }

    @Test func `The status reports immediately that the notification server has exited`() async throws {
        try await EndToEndFixture.with { fixture in
            #expect(try await fixture.daemon.fetchStatus().notifier.available)
            try await fixture.notificationServer.killProcess()
            // The status may be delayed by up to 1 s, because it waits for a response of the session bus.
            try await eventually("a status without a server") {
                let status = try await fixture.daemon.fetchStatus()
                return !status.notifier.available && status.holds.map(\.reason) == ["noServer"]
            }
            try await fixture.showNotifications()
            try await eventually("a status with a server") {
                try await fixture.daemon.fetchStatus().notifier.available
            }
            #expect(try await fixture.daemon.fetchStatus().holds.isEmpty)
        }
    }

    @Test func `A server that does not list its capabilities is used, and the missing list is logged once`()
        async throws
    {
        let method = "GetCapabilities"
        try await EndToEndFixture.with({ $0.hasNotificationServer = false }) { fixture in
            var mute = RecordingNotificationServer.Appearance()
            mute.failing = [method]
            try await fixture.showNotifications(as: mute)
            var replies = try await ConversationActions(of: 2, in: fixture)
            try await replies.send(4)
            try await replies.announced()
            try await replies.expectShownOnce()
            let lines = fixture.daemon.journal.split(separator: "\n").filter {
                $0.contains("does not report its capabilities") && $0.contains(method)
            }
            #expect(lines.count == 1)
        }
    }

    @Test func `A notification server that hangs delays neither the badge nor the control socket`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            var replies = try await ConversationActions(of: 1, in: fixture)
            try await fixture.notificationServer.suspend()
            try await replies.send(3)
            try await fixture.daemon.waitForBadge(3)
            #expect(try await fixture.daemon.ctl("inbox").code == 0)
            try fixture.notificationServer.resume()
            try await replies.announced()
            try await replies.expectInLogOnce()
        }
    }

    @Test func `On shutdown, the daemon briefly waits for the notification that is being shown`() async throws
    {
        try await EndToEndFixture.with { fixture in
            var replies = try await ConversationActions(of: 1, in: fixture)
            try await fixture.notificationServer.setDelay(seconds: 0.2)
            try await replies.send(1)
            _ = try await fixture.notificationServer.waitForNotifications(atLeast: 1)
            #expect(try await fixture.daemon.stop() == 0)
            try await fixture.daemon.start()
            try await replies.announced()
            try await replies.expectShownOnce()
            #expect(try fixture.notificationServer.notifications.count == 1)
        }
    }

    @Test
    func `Stopping the daemon while it shows a notification preserves the state of other notifications`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            var replies = try await ConversationActions(of: 2, in: fixture)
            try await replies.send(1)
            try await replies.announced()
            let first = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            try await fixture.notificationServer.setDelay(seconds: 5)
            try await replies.send(1)
            _ = try await fixture.notificationServer.waitForNotifications(atLeast: 2)
            #expect(try await fixture.daemon.stop() == 0)
            try await fixture.notificationServer.setDelay(seconds: 0)
            try await fixture.daemon.start()
            try await replies.announced()
            #expect(try fixture.notificationServer.notifications.filter { $0.body == first.body }.count == 1)
            let ledger = try await fixture.daemon.fetchLedger(of: replies.sent[0].id)
            #expect(ledger.stages == ["stored", "announcing", "shown"])
            #expect(try await fixture.daemon.ctl("read", replies.conversations[0]).code == 0)
            try await eventually("the first notification is closed") {
                try fixture.notificationServer.closeRequests.contains(first.id)
            }
        }
    }

    @Test func `The daemon keeps running if the session bus disappears permanently`() async throws {
        try await EndToEndFixture.with { fixture in
            var replies = try await ConversationActions(of: 1, in: fixture)
            try await fixture.killBus()
            try await replies.send(2)
            try await fixture.daemon.waitForBadge(2)
            try await eventually("the reply is held") {
                try await fixture.daemon.fetchLedger(of: replies.sent[1].id).stages.contains("held")
            }
            #expect(try await fixture.daemon.stop() == 0)
        }
    }
}
