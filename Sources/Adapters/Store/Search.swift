public import CutieAPI

extension Store {
    /// The messages that hold all of `words`, the last of them as the beginning of a word; best match
    /// first, then the newest. Case and accents do not matter. No words, or only signs: nothing.
    ///
    /// A method of the store and not of a transaction, because what came last is indexed only now.
    public func search(_ words: String, account: AccountID? = nil, limit: Int) throws -> [MessageRecord] {
        var found: [MessageRecord] = []
        try search(words, account: account, limit: limit) {
            found.append($0)
            return true
        }
        return found
    }

    /// What is typed beyond so many words is not looked for.
    public static let mostSearchWords = SearchExpression.maximumWords

    /// The same, handed to `body` one by one until it returns false.
    public func search(
        _ words: String, account: AccountID? = nil, limit: Int, _ body: (MessageRecord) throws -> Bool
    ) throws {
        guard let expression = SearchExpression(words) else { return }
        // On a full disk, what came last is not found; the rest is.
        try? write { try $0.fullText.update() }
        try read { try $0.fullText.search(expression, account: account, limit: limit, body) }
    }
}

/// What a person typed, as a full-text expression in which every word is only a word.
struct SearchExpression {
    let text: String

    static let maximumWords = 32

    /// nil without a word.
    init?(_ words: String) {
        // NUL too: SQLite would end the expression there, within its quotes.
        let quoted = words.split { $0.isWhitespace || $0 == "\0" }
            .prefix(Self.maximumWords)
            .map {
                "\"" + $0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
                    + "\""
            }
        guard !quoted.isEmpty else { return nil }
        text = quoted.joined(separator: " ") + "*"
    }
}

/// The full-text index of the messages.
struct FullText {
    let transaction: Transaction

    /// How many messages may lie unindexed: a search has to index them first, in about 5 ms.
    static let unindexedMessages: Int64 = 256

    /// Brings the full-text index up to date. Must come before messages are deleted: taking out of the
    /// index what is not in it would damage it.
    func update() throws {
        // Messages are indexed in the order of their rows, so the newest one indexed tells where to go on.
        let indexed = try transaction.first("SELECT MAX(id) FROM message_text_docsize") { $0.int64() } ?? 0
        try transaction.run(
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
        try transaction.read(
            sql, [expression.text.stored] + chosen + [limit.stored], MessageRecord.init(_:), body)
    }
}
