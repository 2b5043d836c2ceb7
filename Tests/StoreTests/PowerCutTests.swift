import Foundation
import Glibc
import TestSupport
import Testing

@testable import Store

/// Tests of the durability that SQLite guarantees after power cuts, kills and failed writes. Each
/// transaction is complete or absent. A transaction is present only if all earlier transactions are
/// present. A transaction that was synced to disk is never lost. `CUTIED_CHAOS` sets the number of
/// rounds. `CUTIED_CHAOS_SEED` repeats a particular run.
struct PowerCutTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let chosen = environment["CUTIED_CHAOS"].flatMap { Int($0) }
    private static let seed =
        environment["CUTIED_CHAOS_SEED"].flatMap { UInt64($0) } ?? .random(in: 1...999_999)

    /// Before the power cut, the disk may have written only some sectors of the write-ahead log, in any
    /// order.
    @Test
    func `After a simulated power cut, the database contains an uninterrupted sequence of transactions`()
        throws
    {
        var generator = SeededGenerator(Self.seed)
        let workload = try Workload()
        let synced = try workload.run(transactions: 20, &generator)
        try workload.store.execute("PRAGMA wal_checkpoint(PASSIVE)")
        let database = try workload.file()
        let written = try workload.run(transactions: 60, &generator)
        let log = try workload.file("-wal")
        // Any part of the log may be missing, because the checkpoint has already synced the first
        // transactions.
        for round in 0..<(Self.chosen ?? 40) {
            var left = log.prefix(.random(in: 0...log.count, using: &generator))
            if round.isMultiple(of: 2) {
                for _ in 0..<3 { left.overwriteSector(&generator) }
            }
            let count = try workload.transactions(in: database, left, "seed \(Self.seed), round \(round)")
            #expect((synced...written).contains(count), "seed \(Self.seed), round \(round)")
        }
        #expect(try workload.transactions(in: database, log, "whole") == written)
    }

    /// SQLite begins a checkpoint after the log is on the disk. The power cut leaves a mix of old and new
    /// pages in the database file.
    @Test func `After a simulated power cut during a checkpoint, every transaction is present`() throws {
        var generator = SeededGenerator(Self.seed)
        let workload = try Workload()
        _ = try workload.run(transactions: 20, &generator)
        try workload.store.execute("PRAGMA wal_checkpoint(PASSIVE)")
        let before = try workload.file()
        let written = try workload.run(transactions: 60, &generator)
        let log = try workload.file("-wal")
        try workload.store.execute("PRAGMA wal_checkpoint(PASSIVE)")
        let after = try workload.file()
        #expect(before != after)
        for round in 0..<(Self.chosen ?? 20) {
            let database = Data.mix(of: before, after, &generator)
            let count = try workload.transactions(in: database, log, "seed \(Self.seed), round \(round)")
            #expect(count == written, "seed \(Self.seed), round \(round)")
        }
    }

    /// The child process reports each transaction after the commit.
    @Test func `If the process is killed at any time, every transaction reported as committed is present`()
        async throws
    {
        let directory = try TemporaryDirectory()
        var generator = SeededGenerator(Self.seed)
        for _ in 0..<(Self.chosen ?? 5) {
            let (delay, seed) = (UInt32.random(in: 20...120, using: &generator), generator.next())
            await #expect(processExitsWith: .signal(SIGKILL), "seed \(Self.seed)") {
                [path = directory.path as String, delay = delay as UInt32, seed = seed as UInt64] in
                var generator = SeededGenerator(seed)
                let workload = try Workload(in: path)
                Thread.detachNewThread {
                    usleep(delay * 1000)
                    kill(getpid(), SIGKILL)
                }
                while true {
                    let count = try workload.run(transactions: 1, &generator)
                    try "\(count)".write(toFile: path + "/reported", atomically: true, encoding: .utf8)
                }
            }
            let report = try? String(contentsOfFile: directory.file("reported"), encoding: .utf8)
            let count = try Workload(in: directory.path).transactions("seed \(Self.seed)")
            #expect(count >= report.flatMap { Int($0) } ?? 0, "seed \(Self.seed)")
        }
    }

    /// The random sequence contains transactions, rollbacks, full disks, checkpoints, writes of other
    /// programs and restarts.
    @Test func `After any sequence of faults, the database contains exactly the committed transactions`()
        async
    {
        let (rounds, seed) = (Self.chosen ?? 60, Self.seed)
        await #expect(processExitsWith: .success) { [rounds = rounds as Int, seed = seed as UInt64] in
            var generator = SeededGenerator(seed)
            let directory = try TemporaryDirectory()
            var workload = try Workload(in: directory.path)
            var count = 0
            for round in 0..<rounds {
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: try workload.rollBack(&generator)
                case 1:
                    let size = fileSize(workload.store.path + "-wal") ?? 0
                    let space = UInt.random(in: 0...100_000, using: &generator)
                    var inner = generator
                    try await withFileSizes(atMost: size + space) {
                        count = (try? workload.run(transactions: 1, &inner)) ?? count
                    }
                    generator = inner
                case 2: try workload.store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                case 3:
                    let other = try DatabaseConnection(
                        path: workload.store.path, access: .writing, busyTimeout: 2)
                    try other.withExclusiveAccess {
                        try other.execute("INSERT INTO setting VALUES ('other \(round)', '')")
                    }
                    other.close()
                case 4:
                    workload.store.close()
                    workload = try Workload(in: directory.path)
                default: count = try workload.run(transactions: 3, &generator)
                }
                #expect(try workload.transactions("seed \(seed), round \(round)") == count)
            }
            #expect(try workload.store.quickCheck() == nil)
        }
    }
}

/// A series of numbered transactions. Each transaction adds messages and increments a counter, so that an
/// incomplete transaction is detected.
private final class Workload {
    let store: MessageStore
    private let directory: TemporaryDirectory?

    /// - Parameter path: the state directory; `nil` for a temporary directory.
    init(in path: String? = nil) throws {
        directory = path == nil ? try TemporaryDirectory() : nil
        let opening = try MessageStore.open(directory: path ?? directory?.path ?? "")
        #expect(opening.setAside == nil)
        store = opening.store
    }

    deinit { store.close() }

    /// Returns the content of the database file, or of the file with the suffix `suffix` beside it.
    func file(_ suffix: String = "") throws -> Data {
        try Data(contentsOf: URL(filePath: store.path + suffix))
    }

    /// Runs the given number of transactions.
    ///
    /// - Returns: the total number of transactions in the database.
    func run(transactions: Int, _ generator: inout SeededGenerator) throws -> Int {
        for _ in 0..<transactions { try store.write { try add(to: $0, &generator) } }
        return try self.transactions("")
    }

    func rollBack(_ generator: inout SeededGenerator) throws {
        struct RollbackError: Error {}
        #expect(throws: RollbackError.self) {
            try store.write {
                try add(to: $0, &generator)
                throw RollbackError()
            }
        }
    }

    /// Adds a transaction of random size. Some transactions exceed the page cache, and some contain text that
    /// needs overflow pages.
    private func add(to transaction: Transaction, _ generator: inout SeededGenerator) throws {
        let place = try Self.count(in: transaction) + 1
        let messages =
            Int.random(in: 0..<20, using: &generator) == 0 ? 800 : Int.random(in: 1...20, using: &generator)
        for number in 0..<messages {
            let text = String(repeating: "word\(number) ", count: .random(in: 1...300, using: &generator))
            try transaction.run(
                """
                INSERT INTO message (account, id, conversation, created_at, sequence, stage, pending,
                sender_type, type, text) VALUES (1, ?, 'c', ?, 0, 5, 0, 'admin', 'text', ?)
                """, ["\(place)/\(number) of \(messages)".stored, place.stored, text.stored])
        }
        try transaction.run("INSERT OR REPLACE INTO setting VALUES ('transactions', ?)", ["\(place)".stored])
        if place.isMultiple(of: 3) { try transaction.fullText.updateIndex() }
    }

    /// Checks that every transaction is complete or absent.
    ///
    /// - Returns: the number of transactions in the database.
    func transactions(_ comment: Comment) throws -> Int {
        try store.read { transaction in
            let count = try Self.count(in: transaction)
            let wrong = """
                SELECT COUNT(*) FROM (SELECT created_at, COUNT(*) AS present,
                CAST(substr(MIN(id), instr(MIN(id), 'of') + 3) AS INTEGER) AS wanted
                FROM message GROUP BY created_at HAVING present <> wanted)
                """
            #expect(try transaction.fetchCount(wrong) == 0, comment)
            #expect(
                try transaction.fetchCount("SELECT COUNT(DISTINCT created_at) FROM message") == count, comment
            )
            return count
        }
    }

    private static func count(in transaction: Transaction) throws -> Int {
        try transaction.fetchOne("SELECT CAST(value AS INTEGER) FROM setting WHERE key = 'transactions'") {
            $0.readInt()
        } ?? 0
    }

    /// Opens a database file and a log as after a power cut, and checks the transactions.
    ///
    /// - Returns: the number of transactions in the database.
    func transactions(in database: Data, _ log: Data, _ comment: Comment) throws -> Int {
        let directory = try TemporaryDirectory()
        try database.write(to: URL(filePath: directory.file("cutied.db")))
        try log.write(to: URL(filePath: directory.file("cutied.db-wal")))
        let left = try Workload(in: directory.path)
        #expect(try left.store.quickCheck() == nil, comment)
        return try left.transactions(comment)
    }
}

extension Data {
    private static let sector = 512

    /// Replaces a random sector with zeros or random bytes.
    fileprivate mutating func overwriteSector(_ generator: inout SeededGenerator) {
        guard count >= Self.sector else { return }
        let start = startIndex + Int.random(in: 0..<count / Self.sector, using: &generator) * Self.sector
        let isZero = Bool.random(using: &generator)
        let bytes = (0..<Self.sector).map { _ in isZero ? 0 : UInt8.random(in: 0...255, using: &generator) }
        replaceSubrange(start..<start + Self.sector, with: bytes)
    }

    /// Returns a file in which random sectors have the content of `new`, and all others have the content of
    /// `old`.
    fileprivate static func mix(of old: Data, _ new: Data, _ generator: inout SeededGenerator) -> Data {
        var mixed = old
        // The new size of the file may or may not have been written before the power cut.
        if new.count > old.count, Bool.random(using: &generator) {
            mixed += Data(count: new.count - old.count)
        }
        for start in stride(from: 0, to: Swift.min(mixed.count, new.count), by: sector)
        where Bool.random(using: &generator) {
            let end = Swift.min(start + sector, mixed.count, new.count)
            mixed.replaceSubrange(start..<end, with: new[start..<end])
        }
        return mixed
    }
}
