import TestSupport
import Testing

/// The transport that the daemon must use, because the server supports no better transport.
enum ForcedTransport: String, CaseIterable, CustomTestStringConvertible {
    case stream
    case longPoll = "long-poll"
    case poll

    var without: [String] {
        switch self {
        case .stream: []
        case .longPoll: ["stream"]
        case .poll: ["stream", "long-poll"]
        }
    }

    var testDescription: String { rawValue }

    func configure(_ options: inout EndToEndFixture.Options) {
        options.without = without
        options.configuration = "poll_interval: 1"
    }
}

@Suite struct `Two hundred replies in twenty threads` {
    @Test(arguments: ForcedTransport.allCases)
    func `Each reply arrives once and counts as unread until it is read`(_ transport: ForcedTransport)
        async throws
    {
        try await EndToEndFixture.with(transport.configure) { fixture in
            try await fixture.daemon.waitUntilConnected(by: transport.rawValue)
            var replies = try await ConversationActions(of: 20, in: fixture)
            try await replies.send(70)
            try await fixture.daemon.waitForBadge(70)
            try await fixture.sandbox.whileUnreachable { try await replies.send(60, through: $0) }
            try await fixture.daemon.waitForBadge(130)
            try await fixture.daemon.stop()
            try await replies.send(70)
            try await fixture.daemon.start()
            try await fixture.daemon.waitForBadge(200)
            try await replies.announced()
            try await replies.expectInLogOnce()
            try await replies.expectShownOnce()
            try await replies.expectBadgeOfServer()
            try replies.expectOnScreen(200)

            try await fixture.daemon.ctl("clear-badge")
            #expect(try await fixture.daemon.fetchStatus().badge.total == 0)
            #expect(try await fixture.makeDevice().fetchTotalUnread() == 200)
            #expect(try await fixture.daemon.ctl("read", "--all").code == 0)
            try await fixture.daemon.waitForBadge(0)
            #expect(try await fixture.makeDevice().fetchTotalUnread() == 0)
            try await fixture.expectNothingAnnouncedAgain(after: replies)
        }
    }

    @Test(arguments: ForcedTransport.allCases)
    func `A cleared badge counts only newer replies, and the server's count is unchanged`(
        _ transport: ForcedTransport
    )
        async throws
    {
        try await EndToEndFixture.with(transport.configure) { fixture in
            var replies = try await ConversationActions(of: 3, in: fixture)
            try await replies.send(6)
            try await fixture.daemon.waitForBadge(6)
            #expect(try await fixture.daemon.ctl("clear-badge").code == 0)
            #expect(try await fixture.daemon.ctl("clearBadge").code == 0)
            try await replies.send(2)
            try await fixture.daemon.waitForBadge(2)
            try await fixture.daemon.restart()
            try await fixture.daemon.waitForStatus("8 unread replies") {
                $0.badge.unread == 8 && $0.badge.total == 2
            }
            #expect(try await fixture.daemon.ctl("clear-badge", replies.conversations[0]).code == 0)
            #expect(try await fixture.daemon.fetchStatus().badge.total == 1)
            #expect(try await fixture.makeDevice().fetchTotalUnread() == 8)
        }
    }
}

extension EndToEndFixture {
    /// Restarts the daemon and checks that it shows a new reply and no earlier reply.
    fileprivate func expectNothingAnnouncedAgain(after replies: ConversationActions) async throws {
        try await eventually("no notification is open") { try notificationServer.standingFor.isEmpty }
        let before = try notificationServer.notifications.count
        try await daemon.restart()
        try await daemon.waitUntilConnected()
        try await sandbox.reply("The newest", in: replies.conversations[0])
        let shown = try await notificationServer.waitForNotifications(atLeast: before + 1)
        #expect(shown.count == before + 1)
        #expect(shown.last?.body == "The newest")
    }
}
