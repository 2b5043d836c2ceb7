internal import CutieAPI

extension Transaction {
    /// Deletes at most about `rows` old rows and returns how many there were; 0 = none is left.
    func prune(before: Timestamp, eventsBefore: Timestamp, rows: Int) throws -> Int {
        var left = rows
        left -= try pruneMessages(before: before, rows: left)
        left -= try pruneLog(before: before, rows: left)
        left -= try pruneEvents(before: eventsBefore, rows: left)
        left -= try pruneConversations(before: before, rows: left)
        return rows - left
    }

    /// The ids in seen_message stay, and the threads with something unread: what has no body could not be marked
    /// read. Thread by thread: an index by date would burden every new message for what is done once a day.
    private func pruneMessages(before: Timestamp, rows: Int) throws -> Int {
        try indexNewMessages()
        let sql = """
            DELETE FROM message WHERE row IN
            (SELECT m.row FROM conversation AS c CROSS JOIN message AS m
            ON m.account = c.account AND m.conversation = c.id
            WHERE c.unread = 0 AND m.created_at < ? AND m.pending = 0 LIMIT ?)
            """
        try run(sql, [before.stored, rows.stored])
        return changes
    }

    /// Only from the log's beginning: a gap would be missed by a reader without notice. An entry that a
    /// wrong clock dated too late goes with the old ones that follow it.
    private func pruneLog(before: Timestamp, rows: Int) throws -> Int {
        let sql = """
            DELETE FROM log WHERE sequence <= (SELECT MAX(sequence) FROM
            (SELECT sequence, at FROM log ORDER BY sequence LIMIT ?) WHERE at < ?)
            """
        try run(sql, [rows.stored, before.stored])
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
    private func pruneConversations(before: Timestamp, rows: Int) throws -> Int {
        let sql = """
            DELETE FROM conversation WHERE (account, id) IN (SELECT account, id FROM conversation AS c
            WHERE sort_at > 0 AND sort_at < ? AND unread = 0 AND since_clear = 0
            AND NOT EXISTS (SELECT 1 FROM message AS m WHERE m.account = c.account AND m.conversation = c.id)
            AND NOT EXISTS (SELECT 1 FROM outbox AS o WHERE o.account = c.account AND o.conversation = c.id)
            LIMIT ?)
            """
        try run(sql, [before.stored, rows.stored])
        return changes
    }
}
