import CutieAPI
import Foundation
import GRDB
import Glibc
import TestSupport
import Testing

@_spi(Log) @testable import Store

/// Tests that the write-ahead log is written one transaction at a time.
@Suite struct LogWriterTests {
    @Test(arguments: [1, 200, 5000])
    func `Another process sees a transaction as soon as it has ended`(messages: Int) throws {
        let fixture = try StoreFixture()
        let stranger = try fixture.stranger()
        for round in 1...3 {
            try fixture.insert(messages, from: round * messages)
            let count = try stranger.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM message") }
            #expect(count == round * messages)
        }
        #expect(try fixture.store.quickCheck() == nil)
        let verdict = try stranger.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        #expect(verdict == "ok")
    }

    /// Pages that were evicted from the cache are rewritten in place, and all later checksums are computed
    /// again.
    @Test(arguments: [1, 15, 16, 17, 5000])
    func `After a kill every finished transaction is present`(messages: Int) throws {
        let fixture = try StoreFixture()
        for round in 1...3 {
            try fixture.insert(messages, from: round * messages)
            // The copy lacks the log's index, which the next process rebuilds from the checksums.
            let copy = try TemporaryDirectory()
            for suffix in ["", "-wal"] {
                let file = "cutied.db" + suffix
                try FileManager.default.copyItem(
                    atPath: fixture.store.path + suffix, toPath: copy.file(file))
            }
            let left = try DatabaseQueue(path: copy.file("cutied.db"))
            let (count, verdict) = try left.read {
                try (
                    Int.fetchOne($0, sql: "SELECT COUNT(*) FROM message"),
                    String.fetchOne($0, sql: "PRAGMA integrity_check")
                )
            }
            #expect(count == round * messages)
            #expect(verdict == "ok")
        }
    }

    @Test func `A transaction larger than the page cache can be read and rolled back`()
        throws
    {
        let fixture = try StoreFixture()
        struct Undone: Error {}
        #expect(throws: Undone.self) {
            try fixture.store.write { transaction in
                try fixture.insert(2000, from: 0, in: transaction)
                let texts = try transaction.all("SELECT text FROM message ORDER BY row") { $0.text() }
                #expect(texts == (0..<2000).map(StoreFixture.text))
                throw Undone()
            }
        }
        try fixture.insert(10, from: 0)
        let stranger = try fixture.stranger()
        #expect(try stranger.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM message") } == 10)
        #expect(try fixture.store.quickCheck() == nil)
    }

    @Test func `A failed write has no effect, and the next one succeeds`() async {
        await #expect(processExitsWith: .success) {
            let fixture = try StoreFixture()
            try fixture.insert(1, from: 0)
            let size = try #require(fileSize(fixture.store.path + "-wal"))
            try withFileSizes(atMost: size + 10_000) {
                let error = #expect(throws: StoreError.self) { try fixture.insert(50, from: 1) }
                #expect(error?.code != .damaged)
            }
            try fixture.insert(5, from: 100)
            let stranger = try fixture.stranger()
            #expect(try stranger.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM message") } == 6)
            #expect(try fixture.store.quickCheck() == nil)
        }
    }
}

extension StoreFixture {
    /// Returns a text of 2000 bytes.
    fileprivate static func text(_ number: Int) -> String { String(repeating: "\(number % 10)", count: 2000) }

    fileprivate func insert(_ count: Int, from first: Int) throws {
        try store.write { try insert(count, from: first, in: $0) }
    }

    fileprivate func insert(_ count: Int, from first: Int, in transaction: Transaction) throws {
        for number in first..<first + count {
            try transaction.messages.insert(
                .reply("m\(number)", Self.text(number)), account: account, sequence: Int64(number),
                stage: .stored,
                pending: false, at: Timestamp(milliseconds: 1))
        }
    }
}

private func fileSize(_ path: String) -> UInt? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt(status.st_size) : nil
}

/// Simulates a full disk: writing beyond `limit` bytes of a file fails.
private func withFileSizes(atMost limit: UInt, _ body: () throws -> Void) throws {
    signal(SIGXFSZ, SIG_IGN)
    var former = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &former)
    var limited = rlimit(rlim_cur: limit, rlim_max: former.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limited)
    defer { setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &former) }
    try body()
}
