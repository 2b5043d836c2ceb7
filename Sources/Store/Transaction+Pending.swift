internal import GRDB

extension Transaction {
    /// The messages that wait to be announced, in the order they came: those that are held for a reason,
    /// or the others. A long list of held ones does not slow the others down.
    public func pendingMessages(held: Bool, limit: Int) throws -> [MessageRecord] {
        // The number is part of the statement: a bound one would not be matched with the index.
        let sql = """
            SELECT \(MessageRecord.columns) FROM message AS m
            WHERE pending = 1 AND stage \(held ? "=" : "<>") \(Stage.held.code) ORDER BY sequence, row LIMIT ?
            """
        return try all(sql, [limit], MessageRecord.init(_:))
    }
}
