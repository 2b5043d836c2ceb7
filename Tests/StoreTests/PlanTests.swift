import CSQLite
import CutieAPI
import Testing

@_spi(EventLog) @testable import Store

/// Tests that the queries that run for each event do not become slower as the history grows.
struct PlanTests {
    private let big = [
        "message", "seen_message", "unfetched", "seen_event", "log", "ledger", "conversation", "m", "s", "l",
        "c",
    ]

    private func fill(_ fixture: StoreFixture) throws {
        try fixture.store.write { transaction in
            for number in 0..<600 {
                var thread = Conversation(id: Conversation.ID("c\(number % 200)"))
                thread.updatedAt = .at(Int64(number))
                try transaction.conversations.save(
                    ConversationRecord(
                        account: fixture.account, conversation: thread, unread: number % 2,
                        sinceClear: number % 3))
                try transaction.messages.insert(
                    .reply("m\(number)", in: thread.id), account: fixture.account, stage: .stored,
                    pending: number % 20 == 0, at: .at(1))
                try transaction.log.append(.messageCreated, at: .at(1))
                try transaction.events.insert(Event.ID("e\(number)"), account: fixture.account, at: .at(1))
            }
        }
    }

    /// Returns the query plans of all statements that `body` runs.
    private func plans(_ fixture: StoreFixture, _ body: (Transaction) throws -> Void) throws -> [String] {
        try explain("EXPLAIN QUERY PLAN", fixture, body)
    }

    /// Returns the output of `explanation` for each statement that `body` executes.
    private func explain(
        _ explanation: String, _ fixture: StoreFixture, _ body: (Transaction) throws -> Void
    ) throws -> [String] {
        let ran = try fixture.store.write { transaction in
            try transaction.connection.traced { try body(transaction) }
        }
        return try fixture.store.write { transaction in
            try ran.filter { $0.prefixMatch(of: /SELECT|UPDATE|DELETE|INSERT|REPLACE/) != nil }.flatMap {
                sql in
                try transaction.connection.explain(explanation, sql).map { "\($0) -- \(sql)" }
            }
        }
    }

    private func scans(_ plan: [String]) -> [String] {
        plan.filter { line in
            big.contains {
                line.hasPrefix("SCAN \($0)") && line.dropFirst(5 + $0.count).first.map { $0 == " " } ?? true
            }
        }
    }

    private func sweep(_ transaction: Transaction, _ account: AccountID) throws {
        try transaction.events.insert("new", account: account, at: .at(1))
        _ = try transaction.messages.wasEverStored("new", in: "c1", account: account)
        _ = try transaction.messages.wasEverStored("new", in: nil, account: account)
        try transaction.unfetched.add("c1", account: account, isFirstSync: false)
        try transaction.unfetched.remove("c1", account: account)
        _ = try transaction.conversations.find("c1", account: account)
        try transaction.log.append(LogEntry.Kind("x"), at: .at(1))
        try transaction.messages.insert(
            .reply("new"), account: account, stage: .stored, pending: true, at: .at(1))
        try transaction.conversations.save(
            ConversationRecord(account: account, conversation: Conversation(id: "c1")))
        try transaction.accounts.setCursor("new", of: account)
        try transaction.ledger.append(.announcing, at: .at(1), to: "new", in: "c1", account: account)
        try transaction.ledger.append(
            .shown, at: .at(1), to: "new", in: "c1", account: account, isPendingAfterwards: false)
        _ = try transaction.log.fetchEntries(after: 590, limit: 5)
        _ = try transaction.log.fetchLastSequence()
        _ = try transaction.log.isContiguous(after: 590)
        _ = try transaction.messages.find("m5")
        _ = try transaction.messages.fetchNewest(in: "c1", account: account, limit: 5)
        _ = try transaction.replies.findNewest(in: "c1", account: account)
        _ = try transaction.ledger.fetchSteps(of: "m5", in: "c5", account: account)
        _ = try transaction.conversations.fetchAccounts(containing: "c1")
        _ = try transaction.outbox.fetchNext(of: account, at: .at(1))
        _ = try transaction.badges.clear(account: account, conversation: "c1")
        _ = try transaction.replies.fetchReplies(in: "c1", account: account, amongNewest: 3, stage: .shown)
        _ = try transaction.replies.countReplies(in: "c5", account: account, after: "m5")
        _ = try transaction.replies.countReplies(in: "c1", account: account, amongNewest: 3, stage: .shown)
        _ = try transaction.conversations.fetchUnreadCount(of: "c1", account: account)
        _ = try transaction.replies.fetchUnreadReplies(
            in: "c1", account: account, amongNewest: 5, excludingNewest: 2)
        _ = try transaction.outbox.fetchNewestReadMessageID(in: "c1", account: account)
        try transaction.ledger.markShownMessagesAsClosed(
            in: "c1", account: account, detail: "clicked", at: .at(1))
        try transaction.fullText.updateIndex()
    }

    @Test(arguments: [false, true])
    func `No query that runs for an event scans a large table, with or without planner statistics`(
        optimized: Bool
    )
        throws
    {
        let fixture = try StoreFixture()
        try fill(fixture)
        if optimized { try fixture.store.execute("ANALYZE") }
        let plan = try plans(fixture) { try sweep($0, fixture.account) }
        #expect(plan.count > 20)
        #expect(scans(plan).isEmpty)
        // A query that handles a `conversation.read` event may sort the messages of the conversation: the
        // order of arrival can differ from the order of dates, and an index would cost more than the sort.
        let sorted = plan.filter { $0.contains("TEMP B-TREE") && !$0.contains("ORDER BY +row") }
        #expect(sorted.filter { !$0.contains("FROM account") }.isEmpty)
    }

    @Test func `Writing a reply uses no temporary tables`() throws {
        let fixture = try StoreFixture()
        let opcodes = try explain("EXPLAIN", fixture) { transaction in
            try transaction.events.insert("e", account: fixture.account, at: .at(1))
            try transaction.messages.insert(
                .reply("m"), account: fixture.account, stage: .stored, pending: true, at: .at(1))
            try transaction.conversations.save(
                ConversationRecord(account: fixture.account, conversation: Conversation(id: "c1")))
            try transaction.log.append(.messageCreated, at: .at(1))
            for stage in [LedgerStage.announcing, .shown] {
                try transaction.ledger.append(stage, at: .at(1), to: "m", in: "c1", account: fixture.account)
            }
        }
        #expect(opcodes.contains { $0.hasPrefix("Insert ") })
        #expect(opcodes.filter { $0.hasPrefix("OpenEphemeral") }.isEmpty)
    }

    private typealias Question = @Sendable (Transaction) throws -> Void

    private static let questions: [(String, Question)] = [
        ("PRIMARY KEY (account=?)", { try _ = $0.badges.fetchTotals(of: AccountID(rawValue: 1)) }),
        ("PRIMARY KEY (account=?)", { try _ = $0.badges.clear(account: AccountID(rawValue: 1)) }),
        (
            // The prefix also matches the key (account=? AND conversation=?) of the table with the user's
            // marks.
            "PRIMARY KEY (account=?",
            { try _ = $0.conversations.fetchAll(account: AccountID(rawValue: 1), unreadOnly: true) }
        ),
        ("conversation_newest", { try _ = $0.conversations.fetchAll(limit: 5) }),
        ("message_held", { try _ = $0.messages.fetchHeld(limit: 5) }),
    ]

    @Test(arguments: questions.indices)
    func `Queries that select part of a table use the intended index`(number: Int) throws {
        let (index, question) = Self.questions[number]
        let fixture = try StoreFixture()
        try fill(fixture)
        let plan = try plans(fixture, question)
        #expect(!plan.isEmpty)
        // Skips the line that only introduces the plan of a subquery.
        let steps = plan.filter { !$0.hasPrefix("CORRELATED SCALAR SUBQUERY") }
        #expect(steps.allSatisfy { $0.contains(index) || $0.contains("TEMP B-TREE") }, "\(plan)")
    }

    @Test func `The query for pending messages searches only the index of new messages and the newest rows`()
        throws
    {
        let fixture = try StoreFixture()
        try fill(fixture)
        let plan = try plans(fixture) { _ = try $0.messages.fetchPending(limit: 5) }
        let searches = plan.filter { $0.hasPrefix("SEARCH m ") || $0.hasPrefix("SCAN m ") }
        #expect(searches.count == 2)
        #expect(searches.contains { $0.contains("message_fresh") })
        #expect(searches.contains { $0.contains("INTEGER PRIMARY KEY (rowid>?)") })
    }
}

extension DatabaseConnection {
    /// Returns the SQL of all statements that `body` executes, including statements in triggers.
    fileprivate func traced(_ body: () throws -> Void) throws -> [String] {
        final class Texts { var list: [String] = [] }
        let texts = Texts()
        sqlite3_trace_v2(
            handle, UInt32(SQLITE_TRACE_STMT),
            { _, context, _, text in
                guard let context, let text = text?.assumingMemoryBound(to: CChar.self) else { return 0 }
                Unmanaged<Texts>.fromOpaque(context).takeUnretainedValue().list.append(String(cString: text))
                return 0
            }, Unmanaged.passUnretained(texts).toOpaque())
        defer { sqlite3_trace_v2(handle, 0, nil, nil) }
        try body()
        return texts.list
    }

    /// Returns the output of `explanation` for a statement: the lines of its query plan, or its opcodes.
    fileprivate func explain(_ explanation: String, _ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        try #require(sqlite3_prepare_v2(handle, "\(explanation) \(sql)", -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        // EXPLAIN returns the address, the opcode and further columns. EXPLAIN QUERY PLAN returns `id`,
        // `parent`, an unused column and `detail`.
        let column: CInt = explanation == "EXPLAIN" ? 1 : 3
        var lines: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            lines.append(sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "")
        }
        return lines
    }
}
