public import CutieAPI

/// The conversations that the summary on the screen stands for, kept with it: after a restart it goes on.
extension Transaction {
    /// Makes a conversation the newest one of the summary; false where it was in it before.
    @discardableResult
    public func summarise(_ conversation: Conversation.ID, account: AccountID) throws -> Bool {
        let key: Values = [account.stored, conversation.stored]
        try run("DELETE FROM summarised WHERE account = ? AND conversation = ?", key)
        let wasThere = changes > 0
        try run("INSERT INTO summarised (account, conversation) VALUES (?, ?)", key)
        return !wasThere
    }

    public func summarisedCount() throws -> Int { try count("SELECT COUNT(*) FROM summarised") }

    /// The newest first.
    public func summarised(limit: Int = .max) throws -> [(account: AccountID, conversation: Conversation.ID)]
    {
        try all("SELECT account, conversation FROM summarised ORDER BY place DESC LIMIT ?", [limit.stored]) {
            (account: $0.account(), conversation: $0.id())
        }
    }

    public func newestSummarised() throws -> (account: AccountID, conversation: Conversation.ID)? {
        try first("SELECT account, conversation FROM summarised ORDER BY place DESC LIMIT 1") {
            (account: $0.account(), conversation: $0.id())
        }
    }

    /// Whether one of them that is the account's has something unread. The newest is the least likely to be read.
    public func isSummaryUnread(of account: AccountID) throws -> Bool {
        let sql = """
            SELECT 1 FROM summarised AS s CROSS JOIN conversation AS c
            ON c.account = s.account AND c.id = s.conversation
            WHERE s.account = ? AND c.unread > 0 ORDER BY s.place DESC LIMIT 1
            """
        return try first(sql, [account.stored]) { $0.int() } != nil
    }

    /// Takes those out that have nothing unread.
    public func forgetReadSummarised() throws {
        let sql = """
            DELETE FROM summarised WHERE NOT EXISTS (SELECT 1 FROM conversation AS c
            WHERE c.account = summarised.account AND c.id = summarised.conversation AND c.unread > 0)
            """
        try run(sql)
    }

    public func clearSummarised() throws { try run("DELETE FROM summarised") }
}
