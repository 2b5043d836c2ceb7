public import CutieAPI
public import TextSearch

extension Store {
    /// Returns the messages that match the query. Up to `FullText.rankedMatches` are ordered by relevance,
    /// then by date, newest first. If more messages match, the most recently received ones are returned,
    /// newest first.
    ///
    /// This is a method of the store and not of a transaction, because new messages are indexed before the
    /// search.
    public func search(_ query: SearchQuery, account: AccountID? = nil, limit: Int) throws -> [MessageRecord]
    {
        var found: [MessageRecord] = []
        try search(query, account: account, limit: limit) {
            found.append($0)
            return true
        }
        return found
    }

    /// Passes the messages that match the query to `body`, until `body` returns `false`.
    public func search(
        _ query: SearchQuery, account: AccountID? = nil, limit: Int, _ body: (MessageRecord) throws -> Bool
    ) throws {
        // If the disk is full, the search still works but does not find the newest messages.
        try? write { try $0.fullText.update() }
        try read { try $0.fullText.search(query, account: account, limit: limit, body) }
    }

    /// Returns whether a search cannot find all messages yet, because an older version used another index.
    public func isIndexing() throws -> Bool { try read { try $0.fullText.hasUnindexedHistory() } }

    /// Indexes a bounded number of messages that a search cannot find yet, newest first.
    ///
    /// - Returns: the number of indexed messages. Call again, after other tasks have run, until it is 0.
    @_spi(Log) public func indexHistory(rows: Int = 500) throws -> Int {
        try write { try $0.fullText.indexHistory(rows: rows) }
    }
}

/// The full-text index of the messages. The index contains the tokens of `SearchToken` but no texts.
///
/// The indexed messages are always a contiguous range of rows. New messages are added before a search. After
/// an upgrade, older messages are added in slices, from the newest to the oldest.
struct FullText {
    let transaction: Transaction

    /// The maximum number of new messages that are not indexed yet. A search indexes this many in about 5 ms.
    static let unindexedMessages = MessageTable.block
    /// The maximum number of matches that are ranked: reading and sorting 1 000 000 matches would take
    /// seconds.
    static let rankedMatches = 2000

    /// Indexes the messages that are newer than the indexed range.
    func update() throws {
        if let newest = try edge("MAX") {
            try index("row > ?", [newest.stored])
        } else {
            _ = try indexNewest(Int(Self.unindexedMessages))
        }
    }

    /// Indexes messages that are older than the indexed range.
    ///
    /// - Returns: the number of indexed messages.
    func indexHistory(rows limit: Int) throws -> Int {
        guard let oldest = try edge("MIN") else { return try indexNewest(limit) }
        let older = "row IN (SELECT row FROM message WHERE row < ? ORDER BY row DESC LIMIT ?)"
        return try index(older, [oldest.stored, limit.stored])
    }

    func hasUnindexedHistory() throws -> Bool {
        let older = """
            SELECT 1 FROM message WHERE row < COALESCE((SELECT MIN(id) FROM message_text_docsize),
            (SELECT MAX(row) FROM message) - \(Self.unindexedMessages)) LIMIT 1
            """
        return try transaction.first(older) { $0.int() } != nil
    }

    /// Removes a message from the index before it is deleted. FTS5 needs the original tokens.
    func remove(row: Int64) throws {
        guard let oldest = try edge("MIN"), let newest = try edge("MAX"), (oldest...newest).contains(row),
            let text = try transaction.first(
                "SELECT text FROM message WHERE row = ?", [row.stored], { $0.text() })
        else { return }
        try transaction.run("INSERT INTO message_text (message_text, rowid, text) VALUES ('delete', ?, ?)") {
            $0.bind(row)
            $0.bind(SearchToken.joined(in: text))
        }
    }

    private func indexNewest(_ limit: Int) throws -> Int {
        try index("row IN (SELECT row FROM message ORDER BY row DESC LIMIT ?)", [limit.stored])
    }

    /// Returns the first or last indexed row; `nil` if the index is empty.
    private func edge(_ function: StaticString) throws -> Int64? {
        try transaction.first("SELECT \(function)(id) FROM message_text_docsize") { $0.optionalInt64() }
            ?? nil
    }

    /// Indexes the selected messages one by one, because texts may be long. The order is ascending, because
    /// FTS5 flushes its buffer to the disk when a row number is lower than the previous one.
    @discardableResult
    private func index(_ condition: String, _ values: Values) throws -> Int {
        var count = 0
        try transaction.read(
            "SELECT row, text FROM message WHERE \(condition) ORDER BY row", values,
            { ($0.int64(), SearchToken.joined(in: $0.text())) }
        ) { row, tokens in
            try transaction.run("INSERT INTO message_text (rowid, text) VALUES (?, ?)") {
                $0.bind(row)
                $0.bind(tokens)
            }
            count += 1
            return true
        }
        return count
    }
}

// MARK: - Queries

extension FullText {
    func search(
        _ query: SearchQuery, account: AccountID?, limit: Int, _ body: (MessageRecord) throws -> Bool
    ) throws {
        let matches = try transaction.count(
            "SELECT COUNT(*) FROM (SELECT 1 FROM message_text WHERE message_text MATCH ? LIMIT ?)",
            [query.expression.stored, (Self.rankedMatches + 1).stored])
        let condition = account == nil ? "" : "AND m.account = ?"
        let sql = matches > Self.rankedMatches ? Self.newest(condition) : Self.ranked(condition)
        let chosen: Values = account.map { [$0.stored] } ?? []
        try transaction.read(
            sql, [query.expression.stored] + chosen + [limit.stored], MessageRecord.init(_:), body)
    }

    private static func ranked(_ condition: String) -> String {
        """
        SELECT \(MessageRecord.columns) FROM message_text JOIN message AS m ON m.row = message_text.rowid
        WHERE message_text MATCH ? \(condition)
        ORDER BY bm25(message_text), m.created_at DESC, m.row DESC LIMIT ?
        """
    }

    /// FTS5 returns matches from the last row to the first, so that the limit ends the search early.
    private static func newest(_ condition: String) -> String {
        """
        SELECT \(MessageRecord.columns) FROM (
            SELECT m.row FROM message_text CROSS JOIN message AS m ON m.row = message_text.rowid
            WHERE message_text MATCH ? \(condition) ORDER BY message_text.rowid DESC LIMIT \(rankedMatches)
        ) AS found CROSS JOIN message AS m ON m.row = found.row
        ORDER BY m.created_at DESC, m.row DESC LIMIT ?
        """
    }
}

extension SearchQuery {
    /// An FTS5 expression. All tokens are quoted, so that none is an operator.
    var expression: String {
        phrases.map { "\"" + $0.tokens.joined(separator: " ") + "\"" + ($0.isPrefix ? " *" : "") }
            .joined(separator: " AND ")
    }
}
