import Foundation
import TestSupport
import Testing

@Suite struct `A database that is not what it was` {
    /// What happens to it while the daemon is away.
    enum Fault: String, CaseIterable {
        case truncated = "database truncated"
        case future = "database from the future"

        func strike(_ file: String) async throws {
            switch self {
            case .truncated:
                try await execute("PRAGMA wal_checkpoint(TRUNCATE)", in: file)
                truncate(file, 9000)
            case .future:
                try await execute("INSERT INTO grdb_migrations VALUES ('99-from-the-future')", in: file)
            }
        }

        /// What the name of the file then says.
        var word: String { self == .truncated ? "damaged" : "newer" }
    }

    @Test(arguments: Fault.allCases, Chaos.ways)
    func `It is kept, told, and all is taken from the API again`(_ fault: Fault, _ way: Way) async throws {
        try await Household.with(way.furnish) { home in
            var replies = try await Correspondence(of: 6, in: home)
            var damage = Damage(of: fault.rawValue, way, rounds: Chaos.serverRounds)
            for round in 1...Chaos.serverRounds {
                try await replies.send(6)
                try await home.daemon.badge(replies.sent.count)
                try await home.daemon.stop()
                try await fault.strike(home.daemon.databaseFile)
                try await replies.send(6)
                let written = replies.sent.count
                try await damage.recovery {
                    try await home.daemon.start()
                    try await home.daemon.badge(written)
                }
                #expect(try home.setAside(fault.word).count == round)
                #expect(home.daemon.journal.contains("a fresh one was begun"))
            }
            try await replies.announced()
            try await damage.tell(of: replies)
            // What was on the screen is forgotten with the database: the first sync's summary tells it again.
            try await replies.expectInLogOnce()
            try await replies.expectShownOnce()
            try await replies.expectBadgeOfServer()
        }
    }

    @Test func `One that is cut off under the daemon ends it, and the next begins afresh`() async throws {
        try await Household.with { home in
            let replies = try await Correspondence(of: 6, in: home)
            for conversation in replies.conversations {
                let texts = (0..<250).map { "\($0)" + String(repeating: " and on", count: 500) }
                try await home.sandbox.replies(texts, in: conversation)
            }
            try await home.daemon.badge(1500)
            // Nothing of it is in memory any more, and nothing in the write-ahead log.
            try await home.daemon.stop()
            try await execute("PRAGMA wal_checkpoint(TRUNCATE)", in: home.daemon.databaseFile)
            try await home.daemon.start()
            try await home.daemon.connected()
            truncate(home.daemon.databaseFile, 20_000)
            for conversation in replies.conversations {
                try await home.sandbox.reply("Last", in: conversation)
                // Whoever comes to what is gone finds it, whatever he wanted.
                try await home.daemon.ctl("show", conversation)
            }
            #expect(try await home.daemon.current?.exit() == 1)
            #expect(try home.setAside("damaged").count == 1)
            try await home.daemon.start()
            try await home.daemon.badge(1506)
            try await home.daemon.connected()
        }
    }
}

extension Household {
    /// The databases that were put out of the way.
    fileprivate func setAside(_ word: String) throws -> [String] {
        let directory = (daemon.databaseFile as NSString).deletingLastPathComponent
        return try FileManager.default.contentsOfDirectory(atPath: directory).filter {
            $0.hasPrefix("cutied.db.\(word)-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
        }
    }
}
