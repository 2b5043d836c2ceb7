public import CutieAPI
internal import GRDB

extension Transaction {
    /// Appends an entry and returns its sequence. `data` is JSON.
    @discardableResult
    public func appendLog(
        type: String, at time: Timestamp, account: AccountID? = nil, conversation: Conversation.ID? = nil,
        message: Message.ID? = nil, badgeTotal: Int? = nil, badgeUnread: Int? = nil,
        badgeConversation: Int? = nil, state: String? = nil, data: String? = nil
    ) throws -> Int64 {
        let sql = """
            INSERT INTO log (account, type, at, conversation, message, badge_total, badge_unread,
            badge_conversation, state, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try run(
            sql,
            [
                account?.stored, type.stored, time.stored, conversation?.stored, message?.stored,
                badgeTotal?.stored, badgeUnread?.stored, badgeConversation?.stored, state?.stored,
                data?.stored,
            ])
        return database.lastInsertedRowID
    }

    /// The entries that follow `sequence`, oldest first, at most `limit`.
    public func log(after sequence: Int64, limit: Int) throws -> [LogEntry] {
        let sql = """
            SELECT sequence, account, type, at, conversation, message, badge_total, badge_unread,
            badge_conversation, state, data FROM log WHERE sequence > ? ORDER BY sequence LIMIT ?
            """
        return try all(sql, [sequence.stored, limit.stored], LogEntry.init(_:))
    }

    /// The sequence of the newest entry there ever was, also when it was pruned; 0 before the first.
    public func head() throws -> Int64 {
        try first("SELECT seq FROM sqlite_sequence WHERE name = 'log'") { $0.int64() } ?? 0
    }

    /// The sequence of the oldest entry that is still here; nil when none is.
    public func oldestSequence() throws -> Int64? {
        try first("SELECT MIN(sequence) FROM log") { $0.optionalInt64() } ?? nil
    }

    /// Whether a reader that has read up to `sequence` can go on without missing an entry. False when
    /// the next ones were pruned, and for a sequence that this log never gave.
    public func logContinues(after sequence: Int64) throws -> Bool {
        let head = try head()
        let oldest = try oldestSequence() ?? head + 1
        return (oldest - 1...head).contains(sequence)
    }
}

extension LogEntry {
    fileprivate init(_ row: inout ColumnReader) {
        sequence = row.int64()
        account = row.optionalAccount()
        type = row.text()
        at = row.time()
        conversation = row.optionalID()
        message = row.optionalID()
        badgeTotal = row.optionalInt()
        badgeUnread = row.optionalInt()
        badgeConversation = row.optionalInt()
        state = row.optionalText()
        data = row.optionalText()
    }
}
