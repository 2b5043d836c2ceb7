import Foundation
import TestSupport
import Testing

@Suite struct `Failures of services on which the daemon depends, under load` {
    @Test(arguments: Chaos.ways)
    func `No reply is lost while notification servers are killed and replaced`(_ transport: ForcedTransport)
        async throws
    {
        try await EndToEndFixture.with(transport.configure) { fixture in
            var replies = try await ConversationActions(of: 6, in: fixture)
            var damage = Damage(of: "notification server killed", transport, rounds: Chaos.rareRounds)
            damage.shows += Chaos.rareRounds
            for round in 1...Chaos.rareRounds {
                try await replies.send(6)
                try await fixture.notificationServer.killProcess()
                try await replies.send(6)
                try await damage.recovery {
                    try await fixture.showNotifications(as: .another(round))
                    try await replies.announced()
                }
            }
            try await fixture.daemon.waitForBadge(replies.sent.count)
            try await damage.appendRow(of: replies)
            try await replies.expectInLogOnce()
            try await replies.expectBadgeOfServer()
        }
    }

    @Test(arguments: Chaos.ways)
    func `A database that another program has locked delays replies, but no reply is lost`(
        _ transport: ForcedTransport
    ) async throws {
        try await EndToEndFixture.with(transport.configure) { fixture in
            var replies = try await ConversationActions(of: 6, in: fixture)
            var damage = Damage(of: "database locked", transport, rounds: Chaos.serverRounds)
            for _ in 0..<Chaos.serverRounds {
                let holder = try ChildProcess(
                    "/usr/bin/python3", ["-c", Self.holder, fixture.daemon.databaseFile])
                _ = try await holder.waitForLine(after: "locked")
                try await replies.send(12)
                let logged = try await fixture.daemon.fetchLoggedMessages().count
                #expect(logged < replies.sent.count)
                holder.signal(SIGKILL)
                try await holder.waitForExit()
                let written = replies.sent.count
                try await damage.recovery { try await fixture.daemon.waitForBadge(written) }
            }
            // The daemon waits two seconds for the lock of the database, and five seconds between two
            // attempts.
            damage.expectRecovery(within: .seconds(15))
            try await replies.announced()
            try await damage.appendRow(of: replies)
            try await replies.expectInLogOnce()
            try await replies.expectShownOnce(attempts: 1...(Chaos.serverRounds + 1))
            try await replies.expectBadgeOfServer()
        }
    }

    private static let holder = """
        import signal, sqlite3, sys
        connection = sqlite3.connect(sys.argv[1], isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        print("locked", flush=True)
        signal.pause()
        """
}

extension RecordingNotificationServer.Appearance {
    /// Returns a server that has a different name in every other round, and assigns IDs that no previous
    /// server used.
    fileprivate static func another(_ round: Int) -> Self {
        var appearance = Self()
        if round.isMultiple(of: 2) { appearance.name = "another" }
        appearance.firstID = UInt32(round) * 1_000
        return appearance
    }
}
