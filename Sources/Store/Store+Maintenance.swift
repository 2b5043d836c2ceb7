public import CutieAPI
internal import GRDB

extension Store {
    /// Takes one bounded bite of what is older than the kept history: messages with their ledger, log
    /// entries, conversations; ids of events by `eventsBefore`. Never what waits to be announced, and
    /// never the ids of messages. Returns how much was done: call again, after others had their turn,
    /// until it is 0.
    public func prune(before: Timestamp, eventsBefore: Timestamp, rows: Int = 500) throws -> Int {
        let removed = try write { try $0.prune(before: before, eventsBefore: eventsBefore, rows: rows) }
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
