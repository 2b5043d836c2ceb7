import CutieAPI
import Foundation
import TestSupport
import Testing

@testable import Daemon
@testable import Notifications
@_spi(EventLog) @testable import Store

/// Tests of the number of database pages that each reply writes, counted as frames in the write-ahead log.
/// Each page costs time and 4096 bytes of disk writes.
@MainActor
struct WrittenPagesTests {
    /// The maximum average number of pages per reply.
    private static let limit = 9.0

    @Test func `Storing and showing a reply writes at most nine database pages on average`() async throws {
        let tests = try ReplyQueueTests()
        let store = tests.fixture.store
        let (first, last) = (20, 100)
        var before: [UInt32] = []
        try await running(tests.queue().run) {
            for number in 1..<last {
                if number == first { before = try writtenPages(of: store) }
                // All replies stay unread, so the unread count of each of the 5 conversations increases with
                // each round.
                let (conversation, unread) = (Conversation.ID("c\(number % 5)"), (number + 4) / 5)
                try tests.reply(.init("m\(number)"), in: conversation, at: Int64(number), unread: unread)
                try await eventually("the reply is shown") { try tests.fixture.pending().isEmpty }
            }
        }
        let written = try writtenPages(of: store).dropFirst(before.count)
        let pages = Double(written.count) / Double(last - first)
        let summary = try summary(of: written, per: last - first, in: store)
        #expect(pages <= Self.limit, "\(summary)")
    }

    /// Returns the page numbers of all frames in the write-ahead log, in order.
    private func writtenPages(of store: MessageStore) throws -> [UInt32] {
        // https://www.sqlite.org/fileformat2.html#the_write_ahead_log
        let log = try Data(contentsOf: URL(filePath: store.path + "-wal"))
        func number(at offset: Int) -> UInt32 {
            log[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        let pageSize = Int(number(at: 8))
        return stride(from: 32, to: log.count, by: 24 + pageSize).map(number(at:))
    }

    /// Returns the average number of written pages per reply for each table and index.
    private func summary(
        of pages: some Sequence<UInt32>, per replies: Int, in store: MessageStore
    ) throws -> String {
        let names = try store.read {
            try $0.fetchAll("SELECT pageno, name FROM dbstat") { (UInt32($0.readInt64()), $0.readText()) }
        }
        let trees = Dictionary(names) { first, _ in first }
        let counts = Dictionary(grouping: pages) { trees[$0] ?? "other" }.mapValues(\.count)
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.key) \(Double($0.value) / Double(replies))" }.joined(separator: ", ")
    }
}
