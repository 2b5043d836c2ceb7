extension Transaction {
    /// The messages that wait to be announced, in the order they came: those that are held for a reason,
    /// or the others. A long list of held ones does not slow the others down.
    /// The first `skipped` of them are left out.
    public func pendingMessages(held: Bool, limit: Int, skipping skipped: Int = 0) throws -> [MessageRecord] {
        try all(
            held ? Self.heldMessages : Self.freshMessages, [limit.stored, skipped.stored],
            MessageRecord.init(_:))
    }

    private static let (heldMessages, freshMessages) = (pending("="), pending("<>"))

    /// The number is part of the statement: a bound one would not be matched with the index.
    private static func pending(_ comparison: String) -> String {
        """
        SELECT \(MessageRecord.columns) FROM message AS m
        WHERE pending = 1 AND stage \(comparison) \(Stage.held.code) ORDER BY sequence, row LIMIT ? OFFSET ?
        """
    }
}
