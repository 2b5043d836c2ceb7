import TestSupport
import Testing

@Suite struct `The first sync of an account` {
    @Test(arguments: ForcedTransport.allCases)
    func `After the first sync, read messages are not announced, and unread messages share one summary`(
        _ transport: ForcedTransport
    ) async throws {
        try await EndToEndFixture.with({
            transport.configure(&$0)
            $0.isConnected = false
        }) { fixture in
            let past = try await fixture.createHistory(threads: 4, replies: 3)
            try await past.device.read(past.conversations[0])
            try await past.device.read(past.conversations[1])
            try await fixture.daemon.start()
            try await fixture.daemon.waitForBadge(6)
            let popup = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            #expect(popup.summary == "6 unread replies")
            #expect(popup.body == "in 2 conversations:\nThread 2, Thread 3")
            for (place, conversation) in past.conversations.enumerated() {
                let replies = try await fixture.daemon.fetchThread(conversation).messages.suffix(3)
                for reply in replies {
                    let stages = try await fixture.daemon.fetchLedger(of: reply.messageId).stages
                    #expect(stages.contains("shown") == (place >= 2), "\(stages)")
                }
            }
            try await fixture.sandbox.reply("And now?", in: past.conversations[0])
            let notifications = try await fixture.notificationServer.waitForNotifications(atLeast: 2)
            #expect(notifications.count == 2)
            #expect(notifications[1].body == "And now?")
        }
    }

    @Test func `After the first sync, unread replies in a single thread share a notification of that thread`()
        async throws
    {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            let past = try await fixture.createHistory(threads: 2, replies: 2)
            try await past.device.read(past.conversations[0])
            try await fixture.daemon.start()
            let popup = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            #expect(popup.summary == "Support — Thread 1")
            #expect(popup.body == "2 new replies:\nReply 1")
            try await fixture.daemon.waitForBadge(2)
            #expect(try fixture.notificationServer.notifications.count == 1)
        }
    }

    @Test func `The badge is unknown, not 0, until the first sync is complete`() async throws {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            try await fixture.sandbox.stop()
            try await fixture.daemon.start()
            let badge = try await fixture.daemon.fetchStatus().badge
            #expect(badge.total == nil)
            #expect(badge.unread == nil)
            try await fixture.sandbox.start()
            try await fixture.daemon.waitForBadge(0)
        }
    }
}

extension EndToEndFixture {
    /// Creates conversations with replies before the daemon connects for the first time.
    fileprivate func createHistory(
        threads: Int, replies: Int
    ) async throws -> (device: SandboxFixture.Device, conversations: [String]) {
        try await sandbox.stop()
        try await daemon.start()
        let id = try await daemon.fetchStatus().accounts[0].deviceId
        try await daemon.stop()
        try await sandbox.start()
        let device = try await sandbox.device(id)
        var conversations: [String] = []
        for number in 0..<threads {
            let conversation = try await device.startConversation("Thread \(number)")
            try await sandbox.sendReplies((0..<replies).map { "Reply \($0)" }, in: conversation)
            conversations.append(conversation)
        }
        return (device, conversations)
    }
}
