internal import GRDB

extension Transaction {
    /// The messages that wait to be announced, in the order they came: those that are held for a reason,
    /// or the others. A long list of held ones does not slow the others down.
    /// The first `skipped` of them are left out.
    public func pendingMessages(held: Bool, limit: Int, skipping skipped: Int = 0) throws -> [MessageRecord] {
        // The number is part of the statement: a bound one would not be matched with the index.
        let sql = """
            SELECT \(MessageRecord.columns) FROM message AS m
            WHERE pending = 1 AND stage \(held ? "=" : "<>") \(Stage.held.code)
            ORDER BY sequence, row LIMIT ? OFFSET ?
            """
        return try all(sql, [limit, skipped], MessageRecord.init(_:))
    }
}
