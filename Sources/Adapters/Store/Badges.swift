public import CutieAPI

/// A conversation whose badge is not 0.
public struct BadgeRecord: Hashable, Sendable {
    public let account: AccountID
    public let conversation: Conversation.ID
    /// The number of replies in the badge, at least 1.
    public let badge: Int

    public init(account: AccountID, conversation: Conversation.ID, badge: Int) {
        self.account = account
        self.conversation = conversation
        self.badge = badge
    }
}

/// Queries for badges and unread counts. Each query scans all conversations, which takes 2 ms for 5 000
/// conversations. An index of unread conversations would be slower overall, because every reply would write
/// one more page.
public struct BadgeTable {
    let transaction: Transaction

    /// Returns all conversations whose badge is not 0.
    public func fetchAll() throws -> [BadgeRecord] {
        let sql = """
            SELECT account, id, MIN(unread, since_clear) FROM conversation
            WHERE since_clear > 0 AND unread > 0
            """
        return try transaction.fetchAll(sql) {
            BadgeRecord(account: $0.readAccountID(), conversation: $0.readID(), badge: $0.readInt())
        }
    }

    /// Returns the number of conversations with a badge, by account. Omits accounts without such
    /// conversations.
    public func fetchConversationCounts() throws -> [AccountID: Int] {
        let sql = """
            SELECT account, COUNT(*) FROM conversation
            WHERE since_clear > 0 AND unread > 0 GROUP BY account
            """
        return Dictionary(
            uniqueKeysWithValues: try transaction.fetchAll(sql) { ($0.readAccountID(), $0.readInt()) })
    }

    /// Clears the badges of all conversations that match the parameters, by setting `sinceClear` to 0.
    ///
    /// - Returns: the number of changed conversations.
    @_spi(EventLog) @discardableResult
    public func clear(account: AccountID? = nil, conversation: Conversation.ID? = nil) throws -> Int {
        var condition = "since_clear > 0"
        var bound: Values = []
        if let account {
            condition += " AND account = ?"
            bound += [account.stored]
        }
        if let conversation {
            condition += " AND id = ?"
            bound += [conversation.stored]
        }
        try transaction.run("UPDATE conversation SET since_clear = 0 WHERE \(condition)", bound)
        return transaction.changes
    }

    /// Returns the total badge and the total number of unread replies of an account.
    public func fetchTotals(of account: AccountID) throws -> (badge: Int, unread: Int) {
        let sql = """
            SELECT COALESCE(SUM(MIN(unread, since_clear)), 0), COALESCE(SUM(unread), 0) FROM conversation
            WHERE account = ? AND unread > 0
            """
        return try transaction.fetchOne(sql, [account.stored]) { (badge: $0.readInt(), unread: $0.readInt()) }
            ?? (0, 0)
    }
}
