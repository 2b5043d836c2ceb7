public import CutieAPI

/// A conversation with at least one reply in its badge.
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

/// Queries for badges and unread counts. A query scans the conversations, 5 000 in 2 ms; an index of unread
/// conversations would add a page write to every reply.
public struct BadgeTable {
    let transaction: Transaction

    /// Returns the badges of all conversations with a badge.
    public func fetchAll() throws -> [BadgeRecord] {
        let sql = """
            SELECT account, id, MIN(unread, since_clear) FROM conversation
            WHERE since_clear > 0 AND unread > 0
            """
        return try transaction.fetchAll(sql) {
            BadgeRecord(account: $0.readAccount(), conversation: $0.readID(), badge: $0.readInt())
        }
    }

    /// Returns the number of conversations with a badge, for each account that has such conversations.
    public func fetchCounts() throws -> [AccountID: Int] {
        let sql = """
            SELECT account, COUNT(*) FROM conversation
            WHERE since_clear > 0 AND unread > 0 GROUP BY account
            """
        return Dictionary(
            uniqueKeysWithValues: try transaction.fetchAll(sql) { ($0.readAccount(), $0.readInt()) })
    }

    /// Sets `sinceClear` to 0 in all conversations that match the parameters.
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

    /// Returns the sums over all conversations of an account.
    public func fetchSums(of account: AccountID) throws -> (badge: Int, unread: Int) {
        let sql = """
            SELECT COALESCE(SUM(MIN(unread, since_clear)), 0), COALESCE(SUM(unread), 0) FROM conversation
            WHERE account = ? AND unread > 0
            """
        return try transaction.fetchOne(sql, [account.stored]) { (badge: $0.readInt(), unread: $0.readInt()) }
            ?? (0, 0)
    }
}
