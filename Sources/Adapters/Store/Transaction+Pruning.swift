internal import CutieAPI

extension Transaction {
    /// Deletes at most about `rows` old rows and returns how many there were; 0 = none is left.
    func prune(_ age: PruningAge, rows: Int) throws -> Int {
        var left = rows
        left -= try pruneMessages(age, rows: left)
        left -= try pruneLog(before: age.before, now: age.now, rows: left)
        left -= try pruneEvents(before: age.eventsBefore, rows: left)
        left -= try pruneConversations(age, rows: left)
        return rows - left
    }

    /// The ids in seen_message stay, and the threads with something unread: what has no body could not be marked
    /// read. Thread by thread: an index by date would burden every new message for what is done once a day.
    private func pruneMessages(_ age: PruningAge, rows: Int) throws -> Int {
        try indexNewMessages()
        let (bound, bounds) = age.bound
        let sql = """
            DELETE FROM message WHERE row IN
            (SELECT m.row FROM conversation AS c CROSS JOIN message AS m
            ON m.account = c.account AND m.conversation = c.id
            WHERE c.unread = 0 AND m.created_at < \(bound) AND m.pending = 0 LIMIT ?)
            """
        try run(sql, bounds + [rows.stored])
        return changes
    }

    /// Only from the log's beginning: a gap would be missed by a reader without notice. An entry that a
    /// wrong clock dated into the future goes with the old ones that follow it, and one that it dated too early
    /// takes none along that is young.
    private func pruneLog(before: Timestamp, now: Timestamp, rows: Int) throws -> Int {
        let sql = """
            WITH bite AS (SELECT sequence, at FROM log ORDER BY sequence LIMIT ?),
            young AS (SELECT MIN(sequence) AS first FROM bite WHERE at >= ? AND at <= ?)
            DELETE FROM log WHERE sequence <= (SELECT MAX(sequence) FROM bite, young
            WHERE at < ? AND (first IS NULL OR sequence < first))
            """
        try run(sql, [rows.stored, before.stored, now.stored, before.stored])
        return changes
    }

    private func pruneEvents(before: Timestamp, rows: Int) throws -> Int {
        let sql = """
            DELETE FROM seen_event WHERE (account, event) IN
            (SELECT account, event FROM seen_event WHERE at < ? LIMIT ?)
            """
        try run(sql, [before.stored, rows.stored])
        return changes
    }

    /// Those without a date, a message, something unread or something to send.
    private func pruneConversations(_ age: PruningAge, rows: Int) throws -> Int {
        let (bound, bounds) = age.bound
        let sql = """
            DELETE FROM conversation WHERE (account, id) IN (SELECT account, id FROM conversation AS c
            WHERE sort_at > 0 AND sort_at < \(bound) AND unread = 0 AND since_clear = 0
            AND NOT EXISTS (SELECT 1 FROM message AS m WHERE m.account = c.account AND m.conversation = c.id)
            AND NOT EXISTS (SELECT 1 FROM outbox AS o WHERE o.account = c.account AND o.conversation = c.id)
            LIMIT ?)
            """
        try run(sql, bounds + [rows.stored])
        return changes
    }
}

extension PruningAge {
    /// The bound of the account in the column `c.account`, as SQL, and its values.
    fileprivate var bound: (sql: String, values: Values) {
        guard !accounts.isEmpty else { return ("?", [before.stored]) }
        let cases = accounts.map { _ in " WHEN ? THEN ?" }.joined()
        return (
            "CASE c.account\(cases) ELSE ? END",
            accounts.flatMap { [$0.key.stored, $0.value.stored] } + [before.stored]
        )
    }
}
