public import CutieAPI
internal import GRDB

/// What is too old to be kept.
public struct PruningAge: Sendable {
    public var before: Timestamp
    /// Of what servers dated, which have clocks of their own; the rest goes by `before`.
    public var accounts: [AccountID: Timestamp]
    /// Of the ids of events.
    public var eventsBefore: Timestamp
    /// What is dated later was dated by a clock that was ahead.
    public var now: Timestamp

    public init(
        before: Timestamp, accounts: [AccountID: Timestamp] = [:], eventsBefore: Timestamp, now: Timestamp
    ) {
        (self.before, self.accounts, self.eventsBefore) = (before, accounts, eventsBefore)
        self.now = now
    }
}

extension Store {
    /// Takes one bounded bite of what is older than the kept history: messages with their ledger, log
    /// entries, conversations, ids of events. Never what waits to be announced, and never the ids of
    /// messages. Returns how much was done: call again, after others had their turn, until it is 0.
    public func prune(_ age: PruningAge, rows: Int = 500) throws -> Int {
        let removed = try write { try $0.prune(age, rows: rows) }
        let pages = try giveBack(pages: 256)
        if removed + pages == 0 {
            try naming { try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA optimize") } }
        }
        return removed + pages
    }

    /// Takes out of the files what was overwritten before: the write-ahead log may still have it.
    public func wipe() throws {
        try naming {
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        }
    }

    /// Returns free pages to the file system.
    private func giveBack(pages: Int) throws -> Int {
        try write { transaction in
            let before = try transaction.count("PRAGMA freelist_count")
            guard before > 0 else { return 0 }
            try transaction.run("PRAGMA incremental_vacuum(\(pages))")
            return before - (try transaction.count("PRAGMA freelist_count"))
        }
    }
}
