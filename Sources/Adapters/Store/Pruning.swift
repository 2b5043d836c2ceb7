public import CutieAPI

/// The age limits for pruning. Older data is deleted.
public struct PruningLimits: Sendable {
    public var before: Timestamp
    /// The age limits by account, for times that the server assigned: the clock of the server may differ from
    /// the local clock. For all other times, `before` is used.
    public var accounts: [AccountID: Timestamp]
    /// The age limit for event IDs.
    public var eventsBefore: Timestamp
    /// The current time. Rows with a later time were stored while the clock was wrong.
    public var now: Timestamp

    public init(
        before: Timestamp, accounts: [AccountID: Timestamp] = [:], eventsBefore: Timestamp, now: Timestamp
    ) {
        (self.before, self.accounts, self.eventsBefore) = (before, accounts, eventsBefore)
        self.now = now
    }
}

extension MessageStore {
    /// Deletes a limited number of rows that are older than the age limits: messages with their ledger steps,
    /// log entries, conversations and event IDs. Never deletes pending messages or message IDs.
    ///
    /// - Returns: the number of deleted rows and freed pages. The caller must repeat the call until the
    ///   result is 0, and let other tasks run between the calls.
    @_spi(EventLog) public func prune(olderThan age: PruningLimits, rowLimit rows: Int = 300) async throws
        -> Int
    {
        let candidates = try await runLongRead(cpuTimeLimit: .seconds(60)) {
            try $0.pruning.findCandidates(olderThan: age, rowLimit: rows)
        }
        let removed = try write { try $0.pruning.pruneCandidates(candidates, limits: age, rowLimit: rows) }
        let pages = try releasePages(upTo: 256)
        if removed + pages == 0 {
            try execute("PRAGMA optimize")
        }
        return removed + pages
    }

    /// Removes deleted data from the write-ahead log by checkpointing and truncating the log.
    public func wipeFreedPages() throws {
        try execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Releases up to `pages` free pages to the file system. Returns the number of released pages.
    private func releasePages(upTo pages: Int) throws -> Int {
        try write { transaction in
            let before = try transaction.fetchCount("PRAGMA freelist_count")
            guard before > 0 else { return 0 }
            try transaction.run("PRAGMA incremental_vacuum(\(pages))")
            return before - (try transaction.fetchCount("PRAGMA freelist_count"))
        }
    }
}

/// The pruning of old rows in batches. Finding old rows is a separate step (a long read), because it reads
/// the entire history.
struct Pruning {
    let transaction: Transaction

    /// Rows that were older than the age limits when they were found.
    struct Candidates: Sendable {
        var messages: [Int64] = []
        var events: [(account: AccountID, event: Event.ID)] = []
        var conversations: [(account: AccountID, id: Conversation.ID)] = []
    }

    /// Finds up to `rowLimit` rows that are older than the age limits.
    func findCandidates(olderThan age: PruningLimits, rowLimit: Int) throws -> Candidates {
        let (bound, bounds) = age.bound
        var found = Candidates()
        found.messages = try findMessages(before: bound, values: bounds, rowLimit: rowLimit)
        found.events = try transaction.fetchAll(
            "SELECT account, event FROM seen_event WHERE at < ? LIMIT ?",
            [age.eventsBefore.stored, (rowLimit - found.messages.count).stored]
        ) { ($0.readAccountID(), $0.readID()) }
        let left = rowLimit - found.messages.count - found.events.count
        found.conversations = try transaction.fetchAll(
            "SELECT account, id FROM conversation AS c WHERE \(Self.makeOldConversationCondition(before: bound)) LIMIT ?",
            bounds + bounds + [left.stored]
        ) { ($0.readAccountID(), $0.readID()) }
        return found
    }

    /// Deletes the candidates, and up to `rowLimit` old entries of the event log. Skips candidates that
    /// changed since they were found.
    ///
    /// - Returns: the number of deleted rows; 0 if there is nothing to delete.
    func pruneCandidates(_ candidates: Candidates, limits: PruningLimits, rowLimit: Int) throws -> Int {
        var left = rowLimit
        left -= try pruneMessages(candidates)
        left -= try pruneLog(before: limits.before, now: limits.now, rowLimit: left)
        left -= try pruneEvents(candidates)
        left -= try pruneConversations(candidates, limits: limits)
        return rowLimit - left
    }

    /// Finds old messages. Skips conversations with unread messages, because a pruned message could not be
    /// marked as read. Scans by conversation, because an index by time would slow down every insert, and
    /// pruning runs only once a day.
    private func findMessages(before bound: String, values bounds: Values, rowLimit: Int) throws -> [Int64] {
        let sql = """
            SELECT m.row FROM conversation AS c CROSS JOIN message AS m
            ON m.account = c.account AND m.conversation = c.id
            WHERE c.unread = 0 AND m.created_at < \(bound) AND m.pending = 0 LIMIT ?
            """
        return try transaction.fetchAll(sql, bounds + [rowLimit.stored]) { $0.readInt64() }
    }

    /// Deletes old messages. Keeps their IDs in the table `seen_message`.
    private func pruneMessages(_ candidates: Candidates) throws -> Int {
        let sql = """
            SELECT 1 FROM message AS m CROSS JOIN conversation AS c
            ON c.account = m.account AND c.id = m.conversation
            WHERE m.row = ? AND m.pending = 0 AND c.unread = 0
            """
        let old = try candidates.messages.filter {
            try transaction.fetchOne(sql, [$0.stored]) { _ in } != nil
        }
        for row in old {
            try transaction.fullText.remove(row: row)
            try transaction.run("DELETE FROM message WHERE row = ?", [row.stored])
        }
        return old.count
    }

    /// Advances the start of the event log and deletes the entries before it, except messages. An entry may
    /// have a wrong time because the clock was wrong. If the time is in the future, the entry does not
    /// prevent the deletion of old entries after it. If the time is too early, the entry is kept as long as
    /// recent entries before it are kept.
    private func pruneLog(before: Timestamp, now: Timestamp, rowLimit: Int) throws -> Int {
        let sql = """
            WITH bite AS (SELECT sequence, at FROM log_entry
            WHERE sequence >= (SELECT start FROM log_range) ORDER BY sequence LIMIT ?),
            young AS (SELECT MIN(sequence) AS first FROM bite WHERE at >= ? AND at <= ?),
            old AS (SELECT MAX(sequence) AS last FROM bite, young
            WHERE at < ? AND (first IS NULL OR sequence < first))
            SELECT last, (SELECT COUNT(*) FROM bite WHERE sequence <= last) FROM old WHERE last IS NOT NULL
            """
        let values = [rowLimit.stored, before.stored, now.stored, before.stored]
        guard let (last, count) = try transaction.fetchOne(sql, values, { ($0.readInt64(), $0.readInt()) })
        else {
            return 0
        }
        try transaction.run("DELETE FROM log WHERE sequence <= ?", [last.stored])
        try transaction.run("UPDATE log_range SET start = ?", [(last + 1).stored])
        return count
    }

    private func pruneEvents(_ candidates: Candidates) throws -> Int {
        for (account, event) in candidates.events {
            try transaction.run(
                "DELETE FROM seen_event WHERE account = ? AND event = ?", [account.stored, event.stored])
        }
        return candidates.events.count
    }

    /// Returns the SQL condition for old conversations that have no stored message, no unread message and no
    /// outbox item. Excludes conversations that changed recently on the server, because the next poll would
    /// fetch them again.
    private static func makeOldConversationCondition(before bound: String) -> String {
        """
        sort_at > 0 AND sort_at < \(bound) AND COALESCE(updated_at, 0) < \(bound)
        AND unread = 0 AND since_clear = 0
        AND NOT EXISTS (SELECT 1 FROM message AS m WHERE m.account = c.account AND m.conversation = c.id)
        AND NOT EXISTS (SELECT 1 FROM outbox AS o WHERE o.account = c.account AND o.conversation = c.id)
        """
    }

    private func pruneConversations(_ candidates: Candidates, limits: PruningLimits) throws -> Int {
        let (bound, bounds) = limits.bound
        let sql =
            "DELETE FROM conversation AS c WHERE account = ? AND id = ? AND \(Self.makeOldConversationCondition(before: bound))"
        var count = 0
        for (account, id) in candidates.conversations {
            try transaction.run(sql, [account.stored, id.stored] + bounds + bounds)
            count += transaction.changes
        }
        return count
    }
}

extension PruningLimits {
    /// The age limit for the account in the column `c.account`, as an SQL expression and its values.
    fileprivate var bound: (sql: String, values: Values) {
        guard !accounts.isEmpty else { return ("?", [before.stored]) }
        let cases = accounts.map { _ in " WHEN ? THEN ?" }.joined()
        return (
            "CASE c.account\(cases) ELSE ? END",
            accounts.flatMap { [$0.key.stored, $0.value.stored] } + [before.stored]
        )
    }
}
