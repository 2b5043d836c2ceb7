import Foundation
import TestSupport
import Testing

@Suite struct `Damaged and replaced databases` {
    /// A fault that is injected into the database file while the daemon is stopped.
    enum Fault: String, CaseIterable {
        case truncated = "database truncated"
        case future = "database from the future"

        func inject(into file: String) async throws {
            switch self {
            case .truncated:
                try await execute("PRAGMA wal_checkpoint(TRUNCATE)", in: file)
                truncate(file, 9000)
            case .future:
                try await execute("INSERT INTO grdb_migrations VALUES ('99-from-the-future')", in: file)
            }
        }

        /// The word that the daemon adds to the name of the database file when it renames the file.
        var word: String { self == .truncated ? "damaged" : "newer" }
    }

    @Test(arguments: Fault.allCases, Chaos.ways)
    func `A damaged database is moved aside and reported, and its content is fetched from the API again`(
        _ fault: Fault, _ transport: ForcedTransport
    ) async throws {
        try await EndToEndFixture.with(transport.configure) { fixture in
            var replies = try await ConversationActions(of: 6, in: fixture)
            var damage = Damage(of: fault.rawValue, transport, rounds: Chaos.serverRounds)
            for round in 1...Chaos.serverRounds {
                try await replies.send(6)
                try await fixture.daemon.waitForBadge(replies.sent.count)
                try await fixture.daemon.stop()
                try await fault.inject(into: fixture.daemon.databaseFile)
                try await replies.send(6)
                let written = replies.sent.count
                try await damage.recovery {
                    try await fixture.daemon.start()
                    try await fixture.daemon.waitForBadge(written)
                }
                #expect(try fixture.setAside(fault.word).count == round)
                #expect(fixture.daemon.journal.contains("a new one was created"))
            }
            try await replies.announced()
            try await damage.appendRow(of: replies)
            // The list of open notifications was lost with the database, so the first sync shows their replies
            // again in a summary.
            try await replies.expectInLogOnce()
            try await replies.expectShownOnce()
            try await replies.expectBadgeOfServer()
        }
    }

    @Test(arguments: [[], ["idempotency"]])
    func `Pending messages in a damaged database are sent once and in order`(without: [String]) async throws {
        try await EndToEndFixture.with({ $0.without = without }) { fixture in
            let conversation = try await fixture.daemon.startConversation("Kept", "Zero")
            try await fixture.killWhileSending("One", to: conversation)
            try await eventually("the message arrived") {
                try await fixture.sandbox.fetchTexts(in: conversation) == ["Zero", "One"]
            }
            try await fixture.sandbox.whileUnreachable { _ in
                try await fixture.daemon.start()
                let second = try fixture.daemon.startVerb(["reply", conversation, "Two"])
                try await fixture.daemon.waitForStatus("both messages in the outbox") { $0.outbox == 2 }
                try await fixture.daemon.stop()
                #expect(try await second.waitForExit() != 0)
            }
            try await overwrite("message", in: fixture.daemon.databaseFile)
            try await fixture.daemon.start()
            try await fixture.daemon.waitForStatus("an empty outbox") {
                $0.outbox == 0 && $0.state == "connected"
            }
            #expect(try fixture.setAside("damaged").count == 1)
            #expect(try await fixture.sandbox.fetchTexts(in: conversation) == ["Zero", "One", "Two"])
            #expect(try await fixture.daemon.fetchThread(conversation).messages.map(\.message).count == 3)
            #expect(try fixture.notificationServer.notifications.isEmpty)
        }
    }

    @Test(arguments: 1...3)
    func `Pending messages are sent once even if the daemon is killed during the recovery`(
        changes: Int
    ) async throws {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Kept", "Zero")
            try await fixture.sandbox.whileUnreachable { _ in
                let reply = try fixture.daemon.startVerb(["reply", conversation, "One"])
                try await fixture.daemon.waitForStatus("the message in the outbox") { $0.outbox == 1 }
                try await fixture.daemon.stop()
                try await reply.waitForExit()
            }
            try await overwrite("message", in: fixture.daemon.databaseFile)
            try await fixture.startAndKill(after: changes)
            try await fixture.daemon.start()
            try await fixture.daemon.waitForStatus("an empty outbox") {
                $0.outbox == 0 && $0.state == "connected"
            }
            #expect(try fixture.setAside("damaged").count == 1)
            #expect(try await fixture.sandbox.fetchTexts(in: conversation) == ["Zero", "One"])
        }
    }

    @Test func `One notification reports the possible loss if pending messages cannot be recovered`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            try await fixture.daemon.stop()
            try await overwrite("outbox", in: fixture.daemon.databaseFile)
            try await fixture.daemon.start()
            let popup = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            let kept = try #require(try fixture.setAside("damaged").first)
            #expect(popup.summary == "Messages may not have been sent" && popup.body.contains(kept))
            try await fixture.daemon.restart()
            try await fixture.daemon.waitUntilConnected()
            let conversation = try await fixture.daemon.startConversation("Later")
            try await fixture.sandbox.reply("Shown", in: conversation)
            let all = try await fixture.notificationServer.waitForNotifications(atLeast: 2)
            #expect(all.map(\.summary).count { $0 == popup.summary } == 1)
        }
    }

    @Test func `If an open database is truncated, the daemon exits, and the next run recovers the database`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let replies = try await ConversationActions(of: 6, in: fixture)
            for conversation in replies.conversations {
                let texts = (0..<250).map { "\($0)" + String(repeating: " and on", count: 500) }
                try await fixture.sandbox.sendReplies(texts, in: conversation)
            }
            try await fixture.daemon.waitForBadge(1500)
            // Stopping the daemon discards the pages in memory, and the checkpoint removes the pages from the
            // write-ahead log.
            try await fixture.daemon.stop()
            try await execute("PRAGMA wal_checkpoint(TRUNCATE)", in: fixture.daemon.databaseFile)
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            truncate(fixture.daemon.databaseFile, 20_000)
            for conversation in replies.conversations {
                try await fixture.sandbox.reply("Last", in: conversation)
                // The verb may fail, because the daemon must detect the damage when it reads or writes a missing page.
                try await fixture.daemon.ctl("show", conversation)
            }
            #expect(try await fixture.daemon.current?.waitForExit() == 1)
            #expect(try fixture.setAside("damaged").count == 1)
            try await fixture.daemon.start()
            try await fixture.daemon.waitForBadge(1506)
            try await fixture.daemon.waitUntilConnected()
        }
    }
}

extension `Damaged and replaced databases` {
    /// A change that the test makes to the database file while the daemon is running.
    enum Move: CaseIterable {
        case deleted, directoryDeleted, replaced

        func inject(into file: String) throws {
            let manager = FileManager.default
            switch self {
            case .deleted:
                for suffix in ["", "-wal", "-shm"] { try? manager.removeItem(atPath: file + suffix) }
            case .directoryDeleted:
                try manager.removeItem(atPath: (file as NSString).deletingLastPathComponent)
            // Replaces the file, as happens when a user restores a backup.
            case .replaced:
                try manager.copyItem(atPath: file, toPath: file + ".copy")
                try #require(rename(file + ".copy", file) == 0)
            }
        }
    }

    @Test(arguments: Move.allCases)
    func `If an open database is deleted or replaced, the daemon exits, and the next run uses the same path`(
        _ move: Move
    ) async throws {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Kept")
            try await fixture.sandbox.reply("One", in: conversation)
            let first = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            try await execute("PRAGMA wal_checkpoint(TRUNCATE)", in: fixture.daemon.databaseFile)
            try move.inject(into: fixture.daemon.databaseFile)
            try await fixture.sandbox.reply("Two", in: conversation)
            #expect(try await fixture.daemon.current?.waitForExit() == 1)
            #expect(fixture.daemon.journal.contains("was deleted or replaced while cutied was running"))
            // The next run does not know the open notifications. If they stayed open, their replies would be
            // shown twice.
            #expect(try fixture.notificationServer.closeRequests.contains(first.id))
            let shown = try fixture.notificationServer.notifications.count
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            guard move != .directoryDeleted else { return try await expectNewDevice(in: fixture) }
            try await fixture.daemon.waitForBadge(2)
            let again = try await fixture.notificationServer.waitForNotifications(atLeast: shown + 1)
            #expect(again.count == shown + 1)
            try await fixture.sandbox.reply("Three", in: conversation)
            try await fixture.daemon.waitForBadge(3)
        }
    }

    /// Checks that the daemon works as a new device. The identity of the old device, to which the
    /// conversations belong, was deleted with the directory.
    private func expectNewDevice(in fixture: EndToEndFixture) async throws {
        #expect(try await fixture.daemon.fetchStatus().badge.total == 0)
        let conversation = try await fixture.daemon.startConversation("New")
        try await fixture.sandbox.reply("For the new device", in: conversation)
        try await fixture.daemon.waitForBadge(1)
    }
}

extension EndToEndFixture {
    /// Returns the names of the database files that the daemon renamed, with `word` in the new name.
    fileprivate func setAside(_ word: String) throws -> [String] {
        try otherDatabases().filter { $0.hasPrefix("cutied.db.\(word)-") }
    }

    private func otherDatabases() throws -> [String] {
        let directory = (daemon.databaseFile as NSString).deletingLastPathComponent
        return try FileManager.default.contentsOfDirectory(atPath: directory).filter {
            $0.hasPrefix("cutied.db.") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
        }
    }

    /// Starts the daemon and kills it once files next to the database have appeared or disappeared `changes`
    /// times.
    fileprivate func startAndKill(after changes: Int) async throws {
        var (seen, count) = (Set(try otherDatabases()), 0)
        try daemon.launch()
        while count < changes, daemon.current?.standardError.contains("notice ready") == false {
            let present = Set(try otherDatabases())
            count += present == seen ? 0 : 1
            seen = present
            await Task.yield()
        }
        try await daemon.killProcess()
    }
}
