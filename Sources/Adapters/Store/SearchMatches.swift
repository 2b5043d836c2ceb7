internal import CSQLite
import CutieAPI
import TextSearch

/// A search for the messages that match a query. The search must run within a long read.
///
/// A frequent word does not slow down a search, because FTS5 reads the matches of a whole word lazily, from
/// the newest to the oldest. For a prefix, FTS5 would first collect all matches, so a frequent prefix is
/// replaced with the indexed words that start with the prefix.
struct SearchMatches {
    let transaction: Transaction
    let query: SearchQuery
    let account: AccountID?

    /// The maximum number of matches that are sorted by relevance. Reading and sorting 1 000 000 matches
    /// would take seconds.
    static let rankedMatches = 2000
    /// The maximum number of occurrences of a prefix that is not replaced with words.
    static let collectedMatches = 20_000
    /// The maximum number of words to which a prefix is expanded.
    static let wordsOfPrefix = 64
    /// The number of newest messages that are compared with the query if a prefix has more than
    /// `wordsOfPrefix` words.
    static let comparedMessages = 5000
    private static let compareTime: Duration = .milliseconds(200)

    /// Calls `body` with each match until `body` returns `false`. The matches are sorted by relevance, or
    /// newest first if there are many.
    ///
    /// - Returns: `false` if the read limit stopped the search before all matches were found.
    func forEachMatch(atMost count: Int, readLimit limit: ReadLimit, _ body: (MessageRecord) throws -> Bool)
        throws
        -> Bool
    {
        try transaction.run(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.token USING fts5vocab (main, message_text, instance)")
        guard let expression = try makeExpandedExpression() else {
            let found = try findNewestByComparison(atMost: count)
            if found.count == count {
                try forEachMessage(in: found, body)
                return true
            }
            return try forEachMatch(of: query.expression, newest: count, readLimit: limit, body)
        }
        let matches = try transaction.fetchCount(
            "SELECT COUNT(*) FROM (SELECT 1 FROM message_text WHERE message_text MATCH ? LIMIT ?)",
            [expression.stored, (Self.rankedMatches + 1).stored])
        guard matches <= Self.rankedMatches else {
            return try forEachMatch(of: expression, newest: count, readLimit: limit, body)
        }
        let sql = """
            SELECT \(MessageRecord.columns) FROM message_text JOIN message AS m ON m.row = message_text.rowid
            WHERE message_text MATCH ? \(condition)
            ORDER BY bm25(message_text), m.created_at DESC, m.row DESC LIMIT ?
            """
        try transaction.forEachRow(
            sql, [expression.stored] + chosen + [count.stored], decoding: MessageRecord.init(_:),
            perform: body)
        return true
    }

    private var condition: String { account == nil ? "" : "AND m.account = ?" }
    private var chosen: Values { account.map { [$0.stored] } ?? [] }

    // MARK: - Newest first

    private struct Found {
        let row: Int64
        let at: Int64
    }

    /// Calls `body` with the newest `count` matches until `body` returns `false`. Reads the matches from
    /// the newest row to the oldest, so that the limit can stop the search early. Sorts the matches by
    /// date.
    ///
    /// - Returns: `false` if the read limit stopped the search before all matches were found.
    private func forEachMatch(
        of expression: String, newest count: Int, readLimit limit: ReadLimit,
        _ body: (MessageRecord) throws -> Bool
    ) throws -> Bool {
        let sql = """
            SELECT m.row, m.created_at FROM message_text CROSS JOIN message AS m ON m.row = message_text.rowid
            WHERE message_text MATCH ? \(condition) ORDER BY message_text.rowid DESC LIMIT ?
            """
        var found: [Found] = []
        var isComplete = true
        do {
            try transaction.forEachRow(
                sql, [expression.stored] + chosen + [max(count, Self.rankedMatches).stored],
                decoding: { Found(row: $0.readInt64(), at: $0.readInt64()) }
            ) {
                found.append($0)
                return true
            }
        } catch let error as SQLiteError where error.primaryCode == SQLITE_INTERRUPT {
            try Task.checkCancellation()
            limit.restartTimer(limit: .seconds(1))
            isComplete = false
        }
        try forEachMessage(in: found.sorted { ($0.at, $0.row) > ($1.at, $1.row) }.prefix(count), body)
        return isComplete
    }

    private func forEachMessage(in matches: some Sequence<Found>, _ body: (MessageRecord) throws -> Bool)
        throws
    {
        let sql = "SELECT \(MessageRecord.columns) FROM message AS m WHERE m.row = ?"
        for match in matches {
            guard let record = try transaction.fetchOne(sql, [match.row.stored], MessageRecord.init(_:))
            else {
                continue
            }
            guard try body(record) else { return }
        }
    }

    /// Finds matches without the index, by comparing the newest messages with the query. Called if a prefix
    /// has more than `wordsOfPrefix` words: such a prefix matches many messages, so few comparisons are
    /// needed.
    private func findNewestByComparison(atMost count: Int) throws -> [Found] {
        let sql = """
            SELECT m.row, m.created_at, m.text FROM message AS m
            WHERE m.row <= (SELECT MAX(id) FROM message_text_docsize) \(condition)
            ORDER BY m.row DESC LIMIT \(Self.comparedMessages)
            """
        let end = ReadLimit.now + Self.compareTime
        var found: [Found] = []
        try transaction.forEachRow(
            sql, chosen, decoding: { (Found(row: $0.readInt64(), at: $0.readInt64()), $0.readText()) }
        ) { match, text in
            if query.matches([text]) { found.append(match) }
            return found.count < count && ReadLimit.now < end
        }
        return found.sorted { ($0.at, $0.row) > ($1.at, $1.row) }
    }

    // MARK: - Prefixes

    /// Returns an FTS5 expression in which frequent prefixes are replaced with words, so that FTS5 reads the
    /// newest matches without collecting all matches. Returns `nil` if a frequent prefix has too many words.
    private func makeExpandedExpression() throws -> String? {
        let parts = try query.phrases.map { phrase -> String? in
            guard phrase.isPrefix, let prefix = phrase.tokens.last, try isFrequent(prefix) else {
                return phrase.expression
            }
            guard let words = try fetchWords(withPrefix: prefix) else { return nil }
            let phrases = words.map { makePhrase(of: phrase.tokens.dropLast() + [$0]) }
            return "(" + phrases.joined(separator: " OR ") + ")"
        }
        guard !parts.contains(nil) else { return nil }
        return parts.compactMap(\.self).joined(separator: " AND ")
    }

    private func isFrequent(_ prefix: String) throws -> Bool {
        let occurrences = try transaction.fetchCount(
            "SELECT COUNT(*) FROM (SELECT 1 FROM temp.token WHERE term >= ? AND term < ? LIMIT ?)",
            [prefix.stored, (prefix + "\u{10FFFF}").stored, (Self.collectedMatches + 1).stored])
        return occurrences > Self.collectedMatches
    }

    /// Returns the indexed words that start with a prefix; `nil` if there are more than `wordsOfPrefix`.
    private func fetchWords(withPrefix prefix: String) throws -> [String]? {
        var words: [String] = []
        var least = prefix
        while let word = try transaction.fetchOne(
            "SELECT term FROM temp.token WHERE term >= ? LIMIT 1", [least.stored], { $0.readText() }),
            word.utf8.starts(with: prefix.utf8)
        {
            guard words.count < Self.wordsOfPrefix else { return nil }
            words.append(word)
            // No word contains U+0001, so this string is a lower bound of all following words in byte order.
            least = word + "\u{1}"
        }
        return words
    }
}

extension SearchQuery {
    /// The query as an FTS5 expression.
    var expression: String { phrases.map(\.expression).joined(separator: " AND ") }
}

extension SearchQuery.Phrase {
    fileprivate var expression: String { makePhrase(of: tokens) + (isPrefix ? " *" : "") }
}

/// Returns tokens as an FTS5 phrase. The quotes prevent FTS5 from parsing a token as an operator.
private func makePhrase(of tokens: some Collection<String>) -> String {
    "\"" + tokens.joined(separator: " ") + "\""
}
