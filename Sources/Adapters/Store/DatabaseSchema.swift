internal import CSQLite

/// Functions that create, migrate and check the database schema.
enum DatabaseSchema {
    /// Checks the database and migrates the schema to the current version.
    ///
    /// - Throws: `UnusableDatabase` if the database is from a newer version, or if a check finds
    ///   corruption.
    static func checkAndMigrate(on connection: DatabaseConnection, limits: StoreLimits) throws {
        try connection.runTransaction(.read) { try checkIntegrity(of: connection, limits: limits) }
        try migrate(on: connection)
        try checkIndexIsReadable(on: connection)
        if limits.checksIndex,
            let damage = try connection.runTransaction(.write, { try findIndexDamage(on: connection) })
        {
            throw UnusableDatabase.damaged(damage)
        }
    }

    private static func checkIntegrity(of connection: DatabaseConnection, limits: StoreLimits) throws {
        if try !fetchAppliedMigrations(on: connection).isSubset(of: migrations.map(\.name)) {
            throw UnusableDatabase.newer
        }
        let pages = try connection["PRAGMA page_count"].fetchOne(binding: { _ in }) { $0.readInt() } ?? 0
        let size = try connection["PRAGMA page_size"].fetchOne(binding: { _ in }) { $0.readInt() } ?? 0
        guard pages * size <= limits.checkedBytes else { return }
        if let damage = try findDamage(on: connection) { throw UnusableDatabase.damaged(damage) }
    }

    /// Checks the database file for corruption. Returns the first problem; `nil` if there is none.
    static func findDamage(on connection: DatabaseConnection) throws -> String? {
        let finding =
            try connection["PRAGMA quick_check(1)"].fetchOne(binding: { _ in }) { $0.readText() }
            ?? "no answer"
        return finding == "ok" ? nil : finding.split(separator: "\n").joined(separator: " ")
    }

    /// Throws if the root of the full-text index is corrupt. This corruption would prevent new messages from
    /// being stored, but page checks do not detect it.
    private static func checkIndexIsReadable(on connection: DatabaseConnection) throws {
        try connection.execute("SELECT rowid FROM message_text WHERE message_text MATCH 'x' LIMIT 1")
    }

    /// Checks the full-text index. Returns a description of the corruption; `nil` if the index is intact.
    static func findIndexDamage(on connection: DatabaseConnection) throws -> String? {
        do {
            try connection.execute("INSERT INTO message_text (message_text) VALUES ('integrity-check')")
            return nil
        } catch  where error.primaryCode == SQLITE_CORRUPT {
            return "the full-text index is malformed"
        }
    }
}

// MARK: - Migrations

/// A migration of the schema to its next version.
struct Migration {
    /// The identifier that is stored in the database when the migration is complete.
    let name: String
    let sql: String

    init(_ name: String, _ sql: String) { (self.name, self.sql) = (name, sql) }
}

extension DatabaseSchema {
    /// Applies the missing migrations, each in a separate transaction. If the process is killed, only the
    /// current migration is rolled back, and the next run repeats it. A migration must not use savepoints,
    /// because SQLite 3.40 loses commits after a ROLLBACK TO in a transaction that exceeds the page cache.
    private static func migrate(on connection: DatabaseConnection) throws {
        do {
            // The table has the name that GRDB uses, because earlier versions of the program used GRDB.
            try connection.execute(
                "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
            let applied = try fetchAppliedMigrations(on: connection)
            let missing = migrations.filter { !applied.contains($0.name) }
            guard !missing.isEmpty else { return }
            // Use temporary files, because sorting the index of 1 000 000 messages in memory would need more
            // than 100 MB.
            try connection.execute("PRAGMA temp_store = FILE")
            defer { try? connection.execute("PRAGMA temp_store = MEMORY") }
            for migration in missing {
                try connection.runTransaction(.write) {
                    try connection.execute(migration.sql)
                    try connection["INSERT INTO grdb_migrations VALUES (?)"].run { $0.bind(migration.name) }
                }
            }
        } catch let error as SQLiteError where error.primaryCode == SQLITE_ERROR {
            throw UnusableDatabase.damaged("it does not have the tables of cutied: \(error.message)")
        }
    }

    private static func fetchAppliedMigrations(on connection: DatabaseConnection) throws -> Set<String> {
        let isThere = "SELECT COUNT(*) FROM sqlite_master WHERE name = 'grdb_migrations'"
        guard try connection[isThere].fetchOne(binding: { _ in }, decoding: { $0.readFlag() }) == true else {
            return []
        }
        return Set(
            try connection["SELECT identifier FROM grdb_migrations"].fetchAll(binding: { _ in }) {
                $0.readText()
            })
    }
}

/// The tables of the first schema version.
extension DatabaseSchema {
    static let accounts = """
        CREATE TABLE account (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, app_id TEXT NOT NULL, api_url TEXT NOT NULL,
            device_id TEXT NOT NULL, device_token TEXT, cursor TEXT, synced_at INTEGER, unread INTEGER,
            last_event_at INTEGER,
            UNIQUE (name, app_id, api_url)
        ) STRICT;
        CREATE TABLE seen_event (
            account INTEGER NOT NULL, event TEXT NOT NULL, at INTEGER NOT NULL,
            PRIMARY KEY (account, event)
        ) STRICT, WITHOUT ROWID;
        """

    /// AUTOINCREMENT prevents the reuse of sequence numbers, even after all entries were deleted.
    static let log = """
        CREATE TABLE log (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER, type TEXT NOT NULL,
            at INTEGER NOT NULL, conversation TEXT, message TEXT, badge_total INTEGER,
            badge_unread INTEGER, badge_conversation INTEGER, state TEXT, data TEXT
        ) STRICT;
        """

    /// `sort_at` is `ConversationRecord.sortedAt`, or 0 if no time is known: NULL would move the conversation
    /// to the wrong end of the index.
    static let conversations = """
        CREATE TABLE conversation (
            account INTEGER NOT NULL, id TEXT NOT NULL, status TEXT NOT NULL, title TEXT, category TEXT,
            priority TEXT, customer_id TEXT, user_id TEXT, user_name TEXT, device_id TEXT,
            assigned_admin_id TEXT, app_id TEXT, app_name TEXT, message_count INTEGER,
            unread_count INTEGER, tags TEXT, created_at INTEGER, updated_at INTEGER,
            unread INTEGER NOT NULL, since_clear INTEGER NOT NULL, as_of INTEGER,
            polled INTEGER NOT NULL, polled_updated_at INTEGER, polled_unread INTEGER,
            polled_messages INTEGER, last_message TEXT, newest_sequence INTEGER NOT NULL,
            sort_at INTEGER NOT NULL,
            PRIMARY KEY (account, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX conversation_newest ON conversation (sort_at, account);
        CREATE INDEX conversation_live ON conversation (account, since_clear, unread)
            WHERE unread > 0 OR since_clear > 0;
        """

    /// The row number of a message is never reused, because `seen_message` still refers to it after the
    /// message was pruned.
    static let messages = """
        CREATE TABLE seen_message (
            account INTEGER NOT NULL, message TEXT NOT NULL, row INTEGER NOT NULL,
            PRIMARY KEY (account, message)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE message (
            row INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER NOT NULL, id TEXT NOT NULL,
            conversation TEXT NOT NULL, created_at INTEGER NOT NULL, sequence INTEGER NOT NULL,
            stage INTEGER NOT NULL, pending INTEGER NOT NULL, sender_type TEXT NOT NULL, sender_id TEXT,
            sender_name TEXT, sender_avatar_url TEXT, type TEXT NOT NULL, text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX message_thread ON message (account, conversation, created_at, sequence);
        CREATE INDEX message_pending ON message (sequence, account, conversation) WHERE pending = 1;
        CREATE INDEX message_fresh ON message (sequence)
            WHERE pending = 1 AND stage <> \(LedgerStage.held.code);
        CREATE INDEX message_held ON message (sequence) WHERE pending = 1 AND stage = \(LedgerStage.held.code);
        CREATE INDEX message_announcing ON message (sequence) WHERE stage = \(LedgerStage.announcing.code);
        """

    /// Messages are added to this index in batches (see `FullText`), because adding each message on arrival
    /// would double the cost of an event.
    static let search = """
        CREATE VIRTUAL TABLE message_text USING fts5 (
            text, content = 'message', content_rowid = 'row', tokenize = 'unicode61 remove_diacritics 2'
        );
        CREATE TRIGGER message_removed AFTER DELETE ON message BEGIN
            INSERT INTO message_text (message_text, rowid, text) VALUES ('delete', old.row, old.text);
            DELETE FROM ledger WHERE message = old.row;
        END;
        """

    /// `step` is the position of a step among the steps of its message, starting with 1.
    static let ledger = """
        CREATE TABLE ledger (
            message INTEGER NOT NULL, step INTEGER NOT NULL, at INTEGER NOT NULL, stage INTEGER NOT NULL,
            detail TEXT,
            PRIMARY KEY (message, step)
        ) STRICT, WITHOUT ROWID;
        """

    static let popups = """
        CREATE TABLE popup (
            account INTEGER, conversation TEXT, notification INTEGER NOT NULL, session TEXT NOT NULL,
            count INTEGER NOT NULL, first_sequence INTEGER NOT NULL, last_sequence INTEGER NOT NULL,
            shown_at INTEGER NOT NULL
        ) STRICT;
        """

    /// `place` is the position of an item in the sending order. Positions are never reused.
    static let outbox = """
        CREATE TABLE outbox (
            place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account INTEGER NOT NULL,
            conversation TEXT, kind TEXT NOT NULL, payload TEXT NOT NULL, idempotency_key TEXT NOT NULL,
            state TEXT NOT NULL, attempts INTEGER NOT NULL, ambiguous INTEGER NOT NULL,
            read_bound TEXT, error TEXT, created_at INTEGER NOT NULL,
            next_attempt_at INTEGER
        ) STRICT;
        CREATE INDEX outbox_thread ON outbox (account, conversation, place);
        """

    static let settings = """
        CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        """
}
