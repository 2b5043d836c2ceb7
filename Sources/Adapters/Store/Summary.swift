public import CutieAPI

/// The table of conversations in the summary notification. The daemon needs the table to update the
/// summary after a restart.
public struct SummaryTable {
    let transaction: Transaction

    /// Adds a conversation to the summary, or moves it to the end, as the newest conversation.
    ///
    /// - Returns: `false` if the summary already contained the conversation.
    @_spi(Notifications) @discardableResult
    public func add(_ conversation: Conversation.ID, account: AccountID) throws -> Bool {
        let key: Values = [account.stored, conversation.stored]
        try transaction.run("DELETE FROM summarised WHERE account = ? AND conversation = ?", key)
        let wasThere = transaction.changes > 0
        try transaction.run("INSERT INTO summarised (account, conversation) VALUES (?, ?)", key)
        return !wasThere
    }

    /// Returns the number of conversations in the summary.
    public func count() throws -> Int { try transaction.fetchCount("SELECT COUNT(*) FROM summarised") }

    /// Returns the conversations in the summary, newest first.
    public func fetchConversations(limit: Int = .max) throws -> [(
        account: AccountID, conversation: Conversation.ID
    )] {
        try transaction.fetchAll(
            "SELECT account, conversation FROM summarised ORDER BY place DESC LIMIT ?", [limit.stored]
        ) {
            (account: $0.readAccountID(), conversation: $0.readID())
        }
    }

    /// Returns the newest conversation in the summary; `nil` if the summary is empty.
    public func fetchNewest() throws -> (account: AccountID, conversation: Conversation.ID)? {
        try transaction.fetchOne("SELECT account, conversation FROM summarised ORDER BY place DESC LIMIT 1") {
            (account: $0.readAccountID(), conversation: $0.readID())
        }
    }

    /// Returns whether a conversation of the account in the summary has unread replies. Checks the newest
    /// conversation first, because it is the most likely to be unread.
    public func hasUnreadConversation(of account: AccountID) throws -> Bool {
        let sql = """
            SELECT 1 FROM summarised AS s CROSS JOIN conversation AS c
            ON c.account = s.account AND c.id = s.conversation
            WHERE s.account = ? AND c.unread > 0 ORDER BY s.place DESC LIMIT 1
            """
        return try transaction.fetchOne(sql, [account.stored]) { $0.readInt() } != nil
    }

    @_spi(Notifications) public func removeReadConversations() throws {
        let sql = """
            DELETE FROM summarised WHERE NOT EXISTS (SELECT 1 FROM conversation AS c
            WHERE c.account = summarised.account AND c.id = summarised.conversation AND c.unread > 0)
            """
        try transaction.run(sql)
    }

    @_spi(Notifications) public func removeAll() throws { try transaction.run("DELETE FROM summarised") }
}
