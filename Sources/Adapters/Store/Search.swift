public import CutieAPI
public import TextSearch

extension MessageStore {
    /// Calls `add` with each message that matches the query, until `add` returns `false`. `add` collects the
    /// messages in a result. Up to `SearchMatches.rankedMatches` matches are sorted by relevance and then by
    /// date, newest first. If there are more matches, only the most recently received matches are passed,
    /// newest first.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of messages that are passed to `add`.
    ///   - result: the initial value of the result.
    /// - Returns: the result, and whether a limit stopped the search before all messages were compared.
    public func search<Result: Sendable>(
        _ query: SearchQuery, account: AccountID? = nil, limit: Int, into result: Result,
        _ add: @Sendable (inout Result, MessageRecord) throws -> Bool
    ) async throws -> (result: Result, isTruncated: Bool) {
        // Ignore an error, such as a full disk: the search then does not find the newest messages.
        try? write { try $0.fullText.updateIndex() }
        return try await runLongRead(limit: ReadLimit(.seconds(1))) { transaction, time in
            let matches = SearchMatches(transaction: transaction, query: query, account: account)
            var result = result
            let isComplete = try matches.forEachMatch(atMost: limit, readLimit: time) { try add(&result, $0) }
            return (result, !isComplete)
        }
    }

    /// Returns the percentage of messages that the full-text index contains while older messages are being
    /// indexed after an upgrade; `nil` if the index is complete.
    public func fetchIndexedPercentage() throws -> Int? {
        try read { try $0.fullText.computeIndexedPercentage() }
    }

    /// Adds the next slice of older messages to the full-text index, newest first. Reads and tokenizes the
    /// messages in a long read, so that only the insertion delays other calls.
    ///
    /// - Returns: `false` if the index is complete. Otherwise, the caller must repeat the call after other
    ///   tasks have run.
    @_spi(EventLog) public func indexHistorySlice(rowLimit: Int = 300) async throws -> Bool {
        let slice = try await runLongRead { try $0.fullText.fetchNextSlice(rowLimit: rowLimit) }
        return try write { try $0.fullText.insertSlice(slice) }
    }
}

/// The full-text index of the messages. The index contains the tokens of `SearchToken`, but not the message
/// text.
///
/// The indexed messages always form a contiguous range of rows. New messages are added when a block of
/// `MessageTable.block` rows is complete, and before a search. After an upgrade, older messages are added in
/// slices, from the newest slice to the oldest.
struct FullText {
    let transaction: Transaction

    /// The maximum number of new messages that are not indexed yet. Indexing this number of messages before a
    /// search takes about 5 ms.
    static let unindexedMessages = MessageTable.block
    /// The maximum size of the tokens in a slice, in bytes. Inserting this number of bytes into the index
    /// takes about 10 ms.
    private static let sliceSize = 128 << 10

    /// Adds the messages that are newer than the indexed range.
    func updateIndex() throws {
        if let newest = try findIndexedRow(byAggregate: "MAX") {
            try indexRows(where: "row > ?", values: [newest.stored])
        } else {
            _ = try indexNewestMessages(rowLimit: Int(Self.unindexedMessages))
        }
    }

    /// The messages immediately before the indexed range, with their tokens, oldest first.
    struct Slice: Sendable {
        /// The first indexed row, which follows the slice; `nil` if the index is empty.
        var next: Int64?
        var rows: [(row: Int64, tokens: String)] = []
    }

    /// Returns the next slice, with at most `limit` messages.
    func fetchNextSlice(rowLimit limit: Int) throws -> Slice {
        var slice = Slice(next: try findIndexedRow(byAggregate: "MIN"))
        var size = 0
        let older = slice.next == nil ? "" : "WHERE row < ?"
        try transaction.forEachRow(
            "SELECT row, text FROM message \(older) ORDER BY row DESC LIMIT ?",
            (slice.next.map { [$0.stored] } ?? []) + [limit.stored],
            decoding: { (row: $0.readInt64(), tokens: SearchToken.joinedTokens(of: $0.readText())) }
        ) {
            slice.rows.append($0)
            size += $0.tokens.utf8.count
            return size < Self.sliceSize
        }
        slice.rows.reverse()
        return slice
    }

    /// Inserts a slice into the index. Discards the slice if it no longer adjoins the indexed range, because
    /// a gap between the slice and the range would never be filled.
    ///
    /// - Returns: whether more messages may have to be indexed.
    func insertSlice(_ slice: Slice) throws -> Bool {
        guard let last = slice.rows.last else { return false }
        let newer =
            slice.next == nil ? try transaction.fetchCount("SELECT MAX(row) FROM message") : Int(last.row)
        guard try findIndexedRow(byAggregate: "MIN") == slice.next, newer == Int(last.row) else {
            return true
        }
        for (row, tokens) in slice.rows {
            let count = try transaction.fetchOne("SELECT COUNT(*) FROM message WHERE row = ?", [row.stored]) {
                $0.readInt()
            }
            if count == 1 { try insertTokens(row: row, tokens) }
        }
        return true
    }

    private func insertTokens(row: Int64, _ tokens: String) throws {
        try transaction.run("INSERT INTO message_text (rowid, text) VALUES (?, ?)") {
            $0.bind(row)
            $0.bind(tokens)
        }
    }

    /// Returns the percentage of messages in or after the indexed range (0 to 99); `nil` if the index is
    /// complete. The percentage is estimated from row numbers, because counting would read all messages.
    func computeIndexedPercentage() throws -> Int? {
        let ends = try transaction.fetchOne(
            "SELECT (SELECT MIN(row) FROM message), (SELECT MAX(row) FROM message)"
        ) { ($0.readOptionalInt64(), $0.readOptionalInt64()) }
        guard let ends, let oldest = ends.0, let newest = ends.1 else { return nil }
        let indexed = try findIndexedRow(byAggregate: "MIN")
        guard oldest < indexed ?? newest - Self.unindexedMessages else { return nil }
        let count = indexed.map { max(0, newest - $0 + 1) } ?? 0
        return Int(min(99, count * 100 / (newest - oldest + 1)))
    }

    /// Removes a message from the index. Must be called before the message is deleted, because FTS5 needs the
    /// tokens of the message.
    func remove(row: Int64) throws {
        guard let oldest = try findIndexedRow(byAggregate: "MIN"),
            let newest = try findIndexedRow(byAggregate: "MAX"),
            (oldest...newest).contains(row),
            let text = try transaction.fetchOne(
                "SELECT text FROM message WHERE row = ?", [row.stored], { $0.readText() })
        else { return }
        try transaction.run("INSERT INTO message_text (message_text, rowid, text) VALUES ('delete', ?, ?)") {
            $0.bind(row)
            $0.bind(SearchToken.joinedTokens(of: text))
        }
    }

    private func indexNewestMessages(rowLimit limit: Int) throws -> Int {
        try indexRows(
            where: "row IN (SELECT row FROM message ORDER BY row DESC LIMIT ?)", values: [limit.stored])
    }

    /// Returns the first (MIN) or last (MAX) indexed row; `nil` if the index is empty.
    private func findIndexedRow(byAggregate function: StaticString) throws -> Int64? {
        try transaction.fetchOne("SELECT \(function)(id) FROM message_text_docsize") {
            $0.readOptionalInt64()
        }
            ?? nil
    }

    /// Adds the selected messages to the index. Reads one message at a time, because messages may be long.
    /// Uses ascending row numbers, because FTS5 flushes its buffer to the disk whenever a row number is lower
    /// than the previous one.
    @discardableResult
    private func indexRows(where condition: String, values: Values) throws -> Int {
        var count = 0
        try transaction.forEachRow(
            "SELECT row, text FROM message WHERE \(condition) ORDER BY row", values,
            decoding: { ($0.readInt64(), SearchToken.joinedTokens(of: $0.readText())) }
        ) { row, tokens in
            try insertTokens(row: row, tokens)
            count += 1
            return true
        }
        return count
    }
}
