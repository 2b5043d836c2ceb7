internal import GRDB

/// The tables, by migration. A migration that was released is never edited: a new one follows it.
enum Schema {
    static func migrate(_ queue: DatabaseQueue) throws {
        do {
            try migrator.migrate(queue)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            throw Unusable.damaged("its tables are not cutied's: \(error.message ?? "unknown")")
        }
    }

    /// Throws `Unusable` for a newer database and, where looking is cheap, for a damaged one.
    static func inspect(_ queue: DatabaseQueue, _ limits: Limits) throws {
        try queue.read { database in
            if try migrator.hasBeenSuperseded(database) { throw Unusable.newer }
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            let size = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
            guard pages * size <= limits.checkedBytes else { return }
            if let damage = try damage(database) { throw Unusable.damaged(damage) }
        }
    }

    /// The first thing wrong with the file, or nil.
    static func damage(_ database: Database) throws -> String? {
        let finding = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "no answer"
        return finding == "ok" ? nil : finding.split(separator: "\n").joined(separator: " ")
    }

    /// Throws where the head of the full-text index is damaged, which no check of the pages tells and
    /// which would stop every later message.
    static func probeIndex(_ queue: DatabaseQueue) throws {
        try queue.writeWithoutTransaction {
            try $0.execute(sql: "SELECT rowid FROM message_text WHERE message_text MATCH 'x' LIMIT 1")
        }
    }

    /// Throws `Unusable` where any part of the full-text index is damaged.
    static func checkIndex(_ queue: DatabaseQueue) throws {
        if let damage = try queue.write({ try indexDamage($0) }) { throw Unusable.damaged(damage) }
    }

    /// What is wrong with the full-text index, or nil.
    static func indexDamage(_ database: Database) throws -> String? {
        do {
            try database.execute(sql: "INSERT INTO message_text (message_text) VALUES ('integrity-check')")
            return nil
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return "the full-text index is malformed"
        }
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1-tables", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: accounts + log + conversations + messages + search + ledger)
            try database.execute(sql: popups + outbox + settings)
        }
        migrator.registerMigration("2-fewer-indexes", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: "DROP INDEX message_pending; DROP INDEX message_announcing")
        }
        migrator.registerMigration("3-questions-and-apps", foreignKeyChecks: .immediate) {
            try $0.execute(sql: questions + apps)
        }
        migrator.registerMigration("4-outbox-told", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: "ALTER TABLE outbox ADD COLUMN told INTEGER NOT NULL DEFAULT 1")
        }
        migrator.registerMigration("5-summary", foreignKeyChecks: .immediate) {
            try $0.execute(sql: summary)
        }
        migrator.registerMigration("6-unfetched", foreignKeyChecks: .immediate) {
            try $0.execute(sql: unfetched)
        }
        migrator.registerMigration("7-messages-by-conversation", foreignKeyChecks: .immediate) {
            try $0.execute(sql: messagesByConversation)
        }
        migrator.registerMigration("8-sent", foreignKeyChecks: .immediate) {
            try $0.execute(sql: sent)
        }
        return migrator
    }
}
