public import CutieAPI
internal import GRDB

extension Transaction {
    /// Puts an item at the end and returns its place in the order of sending.
    @discardableResult
    public func enqueue(_ item: OutboxRecord) throws -> Int64 {
        let sql = """
            INSERT INTO outbox (id, account, kind, created_at, read_bound, conversation, payload,
            idempotency_key, state, attempts, ambiguous, error, told, next_attempt_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        let fixed: Values = [
            item.id.stored, item.account.stored, item.kind.stored, item.createdAt.stored,
            item.readBound?.stored,
        ]
        try run(sql, fixed + item.changing)
        return database.lastInsertedRowID
    }

    /// What waits to be sent and what could not be, of one account or of all, oldest first.
    public func outbox(account: AccountID? = nil) throws -> [OutboxRecord] {
        let condition = account == nil ? "" : "WHERE account = ?"
        let sql = "SELECT \(OutboxRecord.columns) FROM outbox AS o \(condition) ORDER BY place"
        return try all(sql, account.map { [$0.stored] } ?? [], OutboxRecord.init(_:))
    }

    /// Hands what an account has to send to `body`, oldest first, until it returns false.
    public func readOutbox(of account: AccountID, _ body: (OutboxRecord) throws -> Bool) throws {
        let sql = "SELECT \(OutboxRecord.columns) FROM outbox AS o WHERE account = ? ORDER BY place"
        try read(sql, [account.stored], OutboxRecord.init(_:), body)
    }

    public func outboxItem(_ id: String) throws -> OutboxRecord? {
        try first(
            "SELECT \(OutboxRecord.columns) FROM outbox AS o WHERE id = ?", [id.stored], OutboxRecord.init(_:)
        )
    }

    /// The oldest item that may be sent at `now`. Within a conversation an item waits for the earlier
    /// ones, but for failed ones; items without a conversation wait for none.
    public func nextOutbox(account: AccountID, now: Timestamp) throws -> OutboxRecord? {
        // In the table's own order the first hit ends it; an index would have all of them looked at.
        let sql = """
            SELECT \(OutboxRecord.columns) FROM outbox AS o NOT INDEXED WHERE account = ? AND \(Self.isFront)
            AND COALESCE(next_attempt_at, 0) <= ? ORDER BY place LIMIT 1
            """
        return try first(sql, [account.stored, now.stored], OutboxRecord.init(_:))
    }

    /// When `nextOutbox` will next have something, in the past where it has now; nil while nothing waits.
    public func nextOutboxTime(account: AccountID) throws -> Timestamp? {
        let sql = """
            SELECT MIN(COALESCE(next_attempt_at, created_at)) FROM outbox AS o
            WHERE account = ? AND \(Self.isFront)
            """
        return try first(sql, [account.stored]) { $0.optionalTime() } ?? nil
    }

    /// What failed without the person knowing it yet, oldest first.
    public func untoldFailures() throws -> [OutboxRecord] {
        let sql = """
            SELECT \(OutboxRecord.columns) FROM outbox AS o WHERE state = 'failed' AND told = 0 ORDER BY place
            """
        return try all(sql, [], OutboxRecord.init(_:))
    }

    /// Whether the person knows that an item failed.
    public func setTold(_ id: String, _ isTold: Bool = true) throws {
        try run("UPDATE outbox SET told = ? WHERE id = ?", [isTold.stored, id.stored])
    }

    private static let isFront = """
        o.state = 'waiting' AND NOT EXISTS (SELECT 1 FROM outbox AS e WHERE e.account = o.account
        AND e.conversation = o.conversation AND e.place < o.place AND e.state <> 'failed')
        """

    /// Writes what may change of an item: all but its account, kind, date and place. False when it is gone.
    @discardableResult
    public func update(_ item: OutboxRecord) throws -> Bool {
        let sql = """
            UPDATE outbox SET conversation = ?, payload = ?, idempotency_key = ?, state = ?, attempts = ?,
            ambiguous = ?, error = ?, told = ?, next_attempt_at = ? WHERE id = ?
            """
        try run(sql, item.changing + [item.id.stored])
        return changes > 0
    }

    /// What waits for a later attempt may go at once.
    public func hastenOutbox(_ account: AccountID) throws {
        try run(
            "UPDATE outbox SET next_attempt_at = NULL WHERE account = ? AND state = 'waiting'",
            [account.stored])
    }

    /// What was being sent when the daemon ended waits again, and may have arrived.
    public func restartOutbox(_ account: AccountID) throws {
        try run(
            "UPDATE outbox SET state = 'waiting', ambiguous = 1 WHERE account = ? AND state = 'sending'",
            [account.stored])
    }

    /// False when it was not there.
    @discardableResult
    public func deleteOutbox(_ id: String) throws -> Bool {
        try run("DELETE FROM outbox WHERE id = ?", [id.stored])
        return changes > 0
    }

    /// Remembers what became of an item, for who repeats the call that wrote it; the last few hundred of them.
    public func noteSent(_ id: String, conversation: Conversation.ID?, message: Message.ID?) throws {
        try run(
            "INSERT OR REPLACE INTO sent (id, conversation, message) VALUES (?, ?, ?)",
            [id.stored, conversation?.stored, message?.stored])
        try run("DELETE FROM sent WHERE place <= ?", [(database.lastInsertedRowID - 500).stored])
    }

    /// nil where it is not known to have been sent.
    public func sent(_ id: String) throws -> (conversation: Conversation.ID?, message: Message.ID?)? {
        try first("SELECT conversation, message FROM sent WHERE id = ?", [id.stored]) {
            ($0.optionalID(), $0.optionalID())
        }
    }

    /// What still waits to be sent, and what will not be without a person.
    public func outboxCounts(of account: AccountID) throws -> (waiting: Int, failed: Int) {
        let sql = """
            SELECT COUNT(*) FILTER (WHERE state <> 'failed'), COUNT(*) FILTER (WHERE state = 'failed')
            FROM outbox WHERE account = ?
            """
        return try first(sql, [account.stored]) { ($0.int(), $0.int()) } ?? (0, 0)
    }
}

extension OutboxRecord {
    fileprivate var changing: Values {
        [
            conversation?.stored, payload.stored, idempotencyKey.stored, state.rawValue.stored,
            attempts.stored, isAmbiguous.stored,
            error?.stored, isTold.stored, nextAttemptAt?.stored,
        ]
    }
}
