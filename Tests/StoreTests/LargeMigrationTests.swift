import CutieAPI
import Foundation
import Glibc
import TestSupport
import Testing
import TextSearch

@_spi(EventLog) @testable import Store

/// Tests of migrating large databases: the memory use, and kills during the migration.
struct LargeMigrationTests {
    private let directory: TemporaryDirectory
    /// Whether the tests were started by `make chaos`, which uses large databases and kills at random times.
    private static let isLong = ProcessInfo.processInfo.environment["CUTIED_CHAOS"] != nil

    init() throws { directory = try TemporaryDirectory() }

    /// Creates a database of an earlier version, whose migrations copy message IDs and rebuild an index.
    private func makeDatabase(of messages: Int) throws {
        let former = try FormerDatabase("8-sent", in: directory.path)
        try former.execute(
            """
            BEGIN;
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(messages))
            INSERT INTO message (account, id, conversation, created_at, sequence, stage, pending, sender_type,
                type, text)
                SELECT 1, 'message_of_a_server_' || i, 'c' || (i % 100), i, i, \(LedgerStage.shown.code), 0, 'admin',
                'text', 'a reply with the number ' || i FROM n;
            INSERT INTO log (account, type, at, conversation, message)
                SELECT 1, 'message.created', 1, conversation, id FROM message;
            INSERT INTO seen_message (account, message, conversation, row)
                SELECT account, id, conversation, row FROM message;
            INSERT INTO ledger (message, step, at, stage, detail)
                SELECT row, 1, 1, \(LedgerStage.stored.code), 'by stream' FROM message;
            COMMIT;
            """)
        for number in 0..<100 { try former.insertConversation("c\(number)") }
        former.close()
    }

    /// The systemd unit limits the daemon's memory to 256 MiB. Sorting the index of 1 000 000 messages in
    /// memory would need more than 100 MB.
    @Test func `A migration uses less than 12 MiB of additional memory`() async throws {
        try makeDatabase(of: Self.isLong ? 1_000_000 : 200_000)
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            let before = try peakMemory(resetting: true)
            try MessageStore.open(directory: path).store.close()
            let growth = try peakMemory(resetting: false) - before
            #expect(growth < 12 << 20, "\(growth) bytes")
        }
    }

    /// The first kills interrupt the migration. Later kills interrupt the indexing that follows the
    /// migration.
    @Test
    func `A migration is completed on the next launch even if the process was killed during the migration`()
        async throws
    {
        let messages = Self.isLong ? 1_000_000 : 20_000
        let moments =
            Self.isLong
            ? (0..<50).map { _ in UInt32.random(in: 0...3000) }
            : Array(stride(from: UInt32(0), to: 150, by: 15)) + [400]
        try makeDatabase(of: messages)
        for milliseconds in moments {
            await #expect(processExitsWith: .signal(SIGKILL), "after \(milliseconds) ms") {
                [path = directory.path as String, milliseconds = milliseconds as UInt32] in
                Thread.detachNewThread {
                    usleep(milliseconds * 1000)
                    kill(getpid(), SIGKILL)
                }
                if let store = try? MessageStore.open(directory: path).store {
                    while try await store.indexHistorySlice() {}
                }
                while true { pause() }
            }
        }
        let opening = try MessageStore.open(directory: directory.path)
        #expect(opening.setAside == nil)
        while try await opening.store.indexHistorySlice(rowLimit: 3000) {}
        #expect(try opening.store.quickCheck() == nil)
        for number in [1, messages / 2, messages] {
            let query = try #require(SearchQuery("\(number) number"))
            let found = try await opening.store.search(query, limit: 3)
            #expect(found.contains { $0.message.id.rawValue == "message_of_a_server_\(number)" })
        }
        try opening.store.read { transaction throws in
            for table in ["message", "seen_message", "ledger", "log"] {
                #expect(try transaction.fetchCount("SELECT COUNT(*) FROM \(table)") == messages)
            }
            #expect(try transaction.log.fetchLastSequence() == Int64(messages))
            let last = Message.ID("message_of_a_server_\(messages)")
            let steps = try transaction.ledger.fetchSteps(of: last, in: "c0", account: FormerDatabase.account)
            #expect(steps.map(\.detail) == ["by stream"])
        }
    }
}

/// Returns the peak of the resident memory, in bytes.
private func peakMemory(resetting: Bool) throws -> Int {
    if resetting { try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8) }
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(line.split { !$0.isNumber }.first.flatMap { Int($0) }) << 10
}
