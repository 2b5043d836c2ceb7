public import CutieAPI
public import Reasons

/// An outbox item: an action of the user that the server has not confirmed.
public struct OutboxRecord: Hashable, Sendable {
    /// The delivery state of an outbox item.
    public enum State: String, Sendable {
        case waiting, sending
        /// The server rejected the item, and the user must decide whether to retry. Later items of the
        /// conversation do not wait for the item.
        case failed
    }

    /// The ID of the outbox item, a UUID.
    public let id: String
    public let account: AccountID
    public var conversation: Conversation.ID?
    public let kind: String
    /// The `OutboxPayload` of the item as JSON.
    public var payload: String
    public var idempotencyKey: String
    public var state: State
    public var attempts: Int
    /// Whether the server may have processed an earlier attempt whose response was lost.
    public var isAmbiguous: Bool
    /// The newest message that a read mark covers; `nil` for other kinds of items.
    public let readBound: Message.ID?
    /// The reason why the last attempt failed; `nil` if it did not fail.
    public var error: Reason?
    /// Whether the user was informed about the failure.
    public var isReported: Bool
    public let createdAt: Timestamp
    /// The earliest time of the next attempt; `nil` if the next attempt need not wait.
    public var nextAttemptAt: Timestamp?
    /// The position in the sending order, assigned by `append`.
    public let order: Int64

    public init(
        id: String, account: AccountID, conversation: Conversation.ID?, kind: String, payload: String,
        idempotencyKey: String, state: State = .waiting, attempts: Int = 0, isAmbiguous: Bool = false,
        readBound: Message.ID? = nil, error: Reason? = nil, isReported: Bool = true,
        createdAt: Timestamp, nextAttemptAt: Timestamp? = nil, order: Int64 = 0
    ) {
        self.id = id
        self.account = account
        self.conversation = conversation
        self.kind = kind
        self.payload = payload
        self.idempotencyKey = idempotencyKey
        self.state = state
        self.attempts = attempts
        self.isAmbiguous = isAmbiguous
        self.readBound = readBound
        self.error = error
        self.isReported = isReported
        self.createdAt = createdAt
        self.nextAttemptAt = nextAttemptAt
        self.order = order
    }
}

extension OutboxRecord {
    /// The columns of the table `outbox`, with the alias o.
    static let columns = columnsOfAnyVersion + ", o.reason"

    /// The columns that exist in every schema version.
    static let columnsOfAnyVersion = """
        o.id, o.account, o.conversation, o.kind, o.payload, o.idempotency_key, o.state, o.attempts, \
        o.ambiguous, o.read_bound, o.error, o.told, o.created_at, o.next_attempt_at, o.place
        """

    init(_ row: inout ColumnReader) {
        id = row.readText()
        account = row.readAccountID()
        conversation = row.readOptionalID()
        kind = row.readText()
        payload = row.readText()
        idempotencyKey = row.readText()
        state = State(rawValue: row.readText()) ?? .failed
        attempts = row.readInt()
        isAmbiguous = row.readFlag()
        readBound = row.readOptionalID()
        let text = row.readOptionalText()
        isReported = row.readFlag()
        createdAt = row.readTime()
        nextAttemptAt = row.readOptionalTime()
        order = row.readInt64()
        // Earlier versions stored the error as English text only.
        let stored = row.readOptionalText().flatMap { try? JSON.decode(StoredReason.self, from: $0.utf8) }
        error = text.map { stored?.value ?? .text($0) }
    }
}

/// The table of outbox items.
public struct OutboxTable {
    let transaction: Transaction

    /// Appends an item.
    ///
    /// - Returns: the position of the item in the sending order.
    @_spi(Accounts) @discardableResult
    public func append(_ item: OutboxRecord) throws -> Int64 {
        let sql = """
            INSERT INTO outbox (id, account, kind, created_at, read_bound, conversation, payload,
            idempotency_key, state, attempts, ambiguous, error, told, next_attempt_at, reason)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        let fixed: Values = [
            item.id.stored, item.account.stored, item.kind.stored, item.createdAt.stored,
            item.readBound?.stored,
        ]
        try transaction.run(sql, fixed + item.updatableValues)
        return transaction.lastInsertedRow
    }

    /// Returns all outbox items, oldest first.
    ///
    /// - Parameter account: the account; `nil` for all accounts.
    public func fetchItems(of account: AccountID? = nil) throws -> [OutboxRecord] {
        let condition = account == nil ? "" : "WHERE account = ?"
        let sql = "SELECT \(OutboxRecord.columns) FROM outbox AS o \(condition) ORDER BY place"
        return try transaction.fetchAll(sql, account.map { [$0.stored] } ?? [], OutboxRecord.init(_:))
    }

    /// Calls `body` with each item of an account, oldest first, until `body` returns `false`.
    public func forEachItem(of account: AccountID, _ body: (OutboxRecord) throws -> Bool) throws {
        let sql = "SELECT \(OutboxRecord.columns) FROM outbox AS o WHERE account = ? ORDER BY place"
        try transaction.forEachRow(sql, [account.stored], decoding: OutboxRecord.init(_:), perform: body)
    }

    public func findItem(_ id: String) throws -> OutboxRecord? {
        try transaction.fetchOne(
            "SELECT \(OutboxRecord.columns) FROM outbox AS o WHERE id = ?", [id.stored], OutboxRecord.init(_:)
        )
    }

    /// Returns the oldest item that may be sent at `now`. An item waits for all earlier items of the same
    /// conversation, except failed items. Excludes revocations, which are sent to the issuer instead of the
    /// API.
    public func fetchNext(of account: AccountID, at now: Timestamp) throws -> OutboxRecord? {
        // Scan in table order, which stops at the first match. With an index, SQLite would read all matches
        // and sort them.
        let sql = """
            SELECT \(OutboxRecord.columns) FROM outbox AS o NOT INDEXED WHERE account = ? AND \(Self.isNextItem)
            AND COALESCE(next_attempt_at, 0) <= ? ORDER BY place LIMIT 1
            """
        return try transaction.fetchOne(sql, [account.stored, now.stored], OutboxRecord.init(_:))
    }

    /// Returns the earliest time, possibly in the past, at which `fetchNext` returns an item; `nil` if no
    /// item is waiting.
    public func fetchNextAttemptTime(of account: AccountID) throws -> Timestamp? {
        let sql = """
            SELECT MIN(COALESCE(next_attempt_at, created_at)) FROM outbox AS o
            WHERE account = ? AND \(Self.isNextItem)
            """
        return try transaction.fetchOne(sql, [account.stored]) { $0.readOptionalTime() } ?? nil
    }

    /// Returns the failed items that were not yet reported to the user, oldest first.
    public func fetchUnreportedFailures() throws -> [OutboxRecord] {
        let sql = """
            SELECT \(OutboxRecord.columns) FROM outbox AS o WHERE state = 'failed' AND told = 0 ORDER BY place
            """
        return try transaction.fetchAll(sql, [], OutboxRecord.init(_:))
    }

    /// Sets whether a failure was reported to the user (the column `told`). The notification module must
    /// not write to the outbox in any other way.
    @_spi(Notifications) public func setReported(_ id: String, isReported: Bool = true) throws {
        try transaction.run("UPDATE outbox SET told = ? WHERE id = ?", [isReported.stored, id.stored])
    }

    private static let isNextItem = """
        o.state = 'waiting' AND o.kind <> '\(OutboxPayload.revocationKind)'
        AND NOT EXISTS (SELECT 1 FROM outbox AS e WHERE e.account = o.account AND e.conversation = o.conversation AND e.place < o.place AND e.state <> 'failed')
        """

    /// Stores the changed fields of an item. Does not change its account, kind, creation time, read bound or
    /// position.
    ///
    /// - Returns: `false` if the item no longer exists.
    @_spi(Accounts) @discardableResult
    public func update(_ item: OutboxRecord) throws -> Bool {
        let sql = """
            UPDATE outbox SET conversation = ?, payload = ?, idempotency_key = ?, state = ?, attempts = ?,
            ambiguous = ?, error = ?, told = ?, next_attempt_at = ?, reason = ? WHERE id = ?
            """
        try transaction.run(sql, item.updatableValues + [item.id.stored])
        return transaction.changes > 0
    }

    /// Clears the retry delays of all waiting items of an account.
    @_spi(Accounts) public func clearRetryDelays(of account: AccountID) throws {
        try transaction.run(
            "UPDATE outbox SET next_attempt_at = NULL WHERE account = ? AND state = 'waiting'",
            [account.stored])
    }

    /// Resets items that were in flight when the daemon exited: the items are waiting again, and ambiguous.
    @_spi(Accounts) public func requeueInterruptedItems(of account: AccountID) throws {
        try transaction.run(
            "UPDATE outbox SET state = 'waiting', ambiguous = 1 WHERE account = ? AND state = 'sending'",
            [account.stored])
    }

    /// Removes an item.
    ///
    /// - Returns: `false` if the item does not exist.
    @_spi(Accounts) @discardableResult
    public func remove(_ id: String) throws -> Bool {
        try transaction.run("DELETE FROM outbox WHERE id = ?", [id.stored])
        return transaction.changes > 0
    }

    /// Returns the number of waiting items (including items in flight) and of failed items.
    public func fetchCounts(of account: AccountID) throws -> (waiting: Int, failed: Int) {
        let sql = """
            SELECT COUNT(*) FILTER (WHERE state <> 'failed'), COUNT(*) FILTER (WHERE state = 'failed')
            FROM outbox WHERE account = ?
            """
        return try transaction.fetchOne(sql, [account.stored]) { ($0.readInt(), $0.readInt()) } ?? (0, 0)
    }

    /// Returns the newest message that a read mark in the outbox covers; `nil` if there is no read mark.
    /// Ignores failed read marks.
    public func fetchNewestReadMessageID(
        in conversation: Conversation.ID, account: AccountID
    ) throws -> Message.ID? {
        let sql = """
            SELECT read_bound FROM outbox WHERE account = ? AND conversation = ? AND read_bound IS NOT NULL
            AND state <> 'failed' ORDER BY place DESC LIMIT 1
            """
        return try transaction.fetchOne(
            sql,
            binding: {
                $0.bind(account)
                $0.bind(conversation)
            }
        ) { $0.readID() }
    }

    /// Returns the number of read marks in the outbox of an account, without failed read marks.
    public func countReadMarks(of account: AccountID) throws -> Int {
        let sql = """
            SELECT COUNT(*) FROM outbox WHERE account = ? AND read_bound IS NOT NULL AND state <> 'failed'
            """
        return try transaction.fetchCount(sql, [account.stored])
    }
}

extension OutboxRecord {
    private var storedReason: String? {
        error.flatMap { try? JSON.encode(StoredReason($0)) }.map { String(decoding: $0, as: UTF8.self) }
    }

    fileprivate var updatableValues: Values {
        [
            conversation?.stored, payload.stored, idempotencyKey.stored, state.rawValue.stored,
            attempts.stored, isAmbiguous.stored,
            error?.english.stored, isReported.stored, nextAttemptAt?.stored, storedReason?.stored,
        ]
    }
}

/// The table of results of sent outbox items. If a client repeats a call, the daemon returns the stored
/// result.
public struct SentTable {
    let transaction: Transaction

    /// Stores the result of a sent outbox item. Keeps only the newest 500 results.
    @_spi(Accounts) public func insertResult(
        ofItem id: String, conversation: Conversation.ID?, message: Message.ID?
    )
        throws
    {
        try transaction.run(
            "INSERT OR REPLACE INTO sent (id, conversation, message) VALUES (?, ?, ?)",
            [id.stored, conversation?.stored, message?.stored])
        try transaction.run("DELETE FROM sent WHERE place <= ?", [(transaction.lastInsertedRow - 500).stored])
    }

    /// Returns the result of an item; `nil` if no result is stored.
    public func findResult(ofItem id: String) throws -> (
        conversation: Conversation.ID?, message: Message.ID?
    )? {
        try transaction.fetchOne("SELECT conversation, message FROM sent WHERE id = ?", [id.stored]) {
            ($0.readOptionalID(), $0.readOptionalID())
        }
    }
}
