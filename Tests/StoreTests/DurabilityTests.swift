import CutieAPI
import Foundation
import Glibc
import TestSupport
import Testing
import TextSearch

@_spi(EventLog) @testable import Store

/// Tests that other programs, kills and full disks do not damage the database.
struct DurabilityTests {
    @Test(arguments: [1, 200, 5000])
    func `Another process sees a committed transaction immediately`(messages: Int) throws {
        let fixture = try StoreFixture()
        let foreign = try fixture.openForeignConnection()
        for round in 1...3 {
            try fixture.insert(messages, from: round * messages)
            let count = try foreign.integer("SELECT COUNT(*) FROM message")
            #expect(count == Int64(round * messages))
        }
        #expect(try fixture.store.quickCheck() == nil)
        let verdict = try foreign.text("PRAGMA integrity_check")
        #expect(verdict == "ok")
    }

    /// A transaction larger than the page cache writes some pages twice.
    @Test(arguments: [1, 15, 16, 17, 5000])
    func `After the process is killed, every committed transaction is present`(messages: Int) throws {
        let fixture = try StoreFixture()
        for round in 1...3 {
            try fixture.insert(messages, from: round * messages)
            // The copy contains no WAL index, so SQLite recovers the log from its checksums.
            let copy = try TemporaryDirectory()
            for suffix in ["", "-wal"] {
                let file = "cutied.db" + suffix
                try FileManager.default.copyItem(
                    atPath: fixture.store.path + suffix, toPath: copy.file(file))
            }
            let left = try ForeignConnection(path: copy.file("cutied.db"))
            #expect(try left.integer("SELECT COUNT(*) FROM message") == Int64(round * messages))
            #expect(try left.text("PRAGMA integrity_check") == "ok")
        }
    }

    @Test func `A transaction larger than the page cache can be read and rolled back`()
        throws
    {
        let fixture = try StoreFixture()
        struct RollbackError: Error {}
        #expect(throws: RollbackError.self) {
            try fixture.store.write { transaction in
                try fixture.insert(2000, from: 0, in: transaction)
                let texts = try transaction.fetchAll("SELECT text FROM message ORDER BY row") {
                    $0.readText()
                }
                #expect(texts == (0..<2000).map(StoreFixture.text))
                throw RollbackError()
            }
        }
        try fixture.insert(10, from: 0)
        let foreign = try fixture.openForeignConnection()
        #expect(try foreign.integer("SELECT COUNT(*) FROM message") == 10)
        #expect(try fixture.store.quickCheck() == nil)
    }

    @Test func `A commit by another program after a rollback is preserved`() throws {
        let fixture = try StoreFixture()
        let foreign = try fixture.openForeignConnection()
        struct RollbackError: Error {}
        for round in 1...3 {
            #expect(throws: RollbackError.self) {
                try fixture.store.write { transaction in
                    try fixture.insert(2000, from: 0, in: transaction)
                    throw RollbackError()
                }
            }
            try foreign.execute("INSERT INTO setting VALUES (?, 'foreign')", ["\(round)"])
            #expect(try fixture.store.read { try $0.settings.fetchText(ofSetting: "\(round)") } == "foreign")
            try fixture.insert(1, from: round)
        }
        #expect(try fixture.store.quickCheck() == nil)
        fixture.store.close()
        #expect(try foreign.integer("SELECT COUNT(*) FROM setting") == 3)
        #expect(try foreign.integer("SELECT COUNT(*) FROM message") == 3)
        #expect(try foreign.text("PRAGMA integrity_check") == "ok")
    }

    /// The limits stop the write at the first frame, after some frames, and after half of the
    /// frames.
    @Test(arguments: [0, 10_000, 100_000] as [UInt])
    func `On a full disk, all data can be read, and writes succeed after space is available`(space: UInt)
        async
    {
        await #expect(processExitsWith: .success) { [space] in
            let fixture = try StoreFixture()
            try fixture.insert(1, from: 0)
            let size = try #require(fileSize(fixture.store.path + "-wal"))
            try await withFileSizes(atMost: size + space) {
                for _ in 1...2 {
                    let error = #expect(throws: StoreError.self) { try fixture.insert(100, from: 1) }
                    #expect(error?.code == .diskFull)
                    try await fixture.readEverything()
                }
            }
            try fixture.insert(5, from: 100)
            let foreign = try fixture.openForeignConnection()
            #expect(try foreign.integer("SELECT COUNT(*) FROM message") == 6)
            #expect(try fixture.store.quickCheck() == nil)
        }
    }
}

extension StoreFixture {
    /// Runs the queries of the verbs `status`, `inbox`, `show`, `search` and `outbox`. The store must contain
    /// one message.
    fileprivate func readEverything() async throws {
        try store.read { transaction throws in
            #expect(try transaction.accounts.fetchAll().count == 1)
            #expect(try transaction.conversations.fetchAll().isEmpty)
            #expect(try transaction.messages.fetchNewest(in: "c1", account: account).count == 1)
            #expect(try transaction.outbox.fetchItems().isEmpty)
        }
        _ = try await store.search(#require(SearchQuery("word")), limit: 10)
    }

    /// Returns a string of two thousand bytes.
    fileprivate static func text(_ number: Int) -> String { String(repeating: "\(number % 10)", count: 2000) }

    fileprivate func insert(_ count: Int, from first: Int) throws {
        try store.write { try insert(count, from: first, in: $0) }
    }

    fileprivate func insert(_ count: Int, from first: Int, in transaction: Transaction) throws {
        for number in first..<first + count {
            try transaction.messages.insert(
                .reply("m\(number)", Self.text(number)), account: account, stage: .stored, pending: false,
                at: Timestamp(milliseconds: 1))
        }
    }
}

func fileSize(_ path: String) -> UInt? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt(status.st_size) : nil
}

/// Runs `body` while any write beyond `limit` bytes of a file fails, which simulates a full disk.
func withFileSizes(atMost limit: UInt, _ body: () async throws -> Void) async throws {
    signal(SIGXFSZ, SIG_IGN)
    var former = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &former)
    var limited = rlimit(rlim_cur: limit, rlim_max: former.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limited)
    defer { setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &former) }
    try await body()
}
