extension Transaction {
    /// How many messages may lie unindexed: a search has to index them first, in about 5 ms.
    static let unindexedMessages: Int64 = 256

    /// Brings the full-text index up to date. Must come before messages are deleted: taking out of the
    /// index what is not in it would damage it.
    func indexNewMessages() throws {
        // Messages are indexed in the order of their rows, so the newest one indexed tells where to go on.
        let indexed = try first("SELECT MAX(id) FROM message_text_docsize") { $0.int64() } ?? 0
        try run(
            "INSERT INTO message_text (rowid, text) SELECT row, text FROM message WHERE row > ? ORDER BY row",
            [indexed.stored])
    }

    func search(
        _ expression: SearchExpression, account: AccountID?, limit: Int,
        _ body: (MessageRecord) throws -> Bool
    ) throws {
        let condition = account == nil ? "" : "AND m.account = ?"
        let sql = """
            SELECT \(MessageRecord.columns) FROM message_text JOIN message AS m ON m.row = message_text.rowid
            WHERE message_text MATCH ? \(condition)
            ORDER BY bm25(message_text), m.created_at DESC, m.row DESC LIMIT ?
            """
        let chosen: Values = account.map { [$0.stored] } ?? []
        try read(sql, [expression.text.stored] + chosen + [limit.stored], MessageRecord.init(_:), body)
    }
}
