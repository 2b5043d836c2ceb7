public import CutieAPI

extension Transaction {
    public func conversation(_ id: Conversation.ID, account: AccountID) throws -> ConversationRecord? {
        try first(Self.oneConversation, [account.stored, id.stored], ConversationRecord.init(_:))
    }

    private static let oneConversation = """
        SELECT \(ConversationRecord.columns) FROM conversation WHERE account = ? AND id = ?
        """

    /// The newest updated first, at most `limit`, of one account or of all.
    public func conversations(
        account: AccountID? = nil, unreadOnly: Bool = false, limit: Int? = nil
    ) throws -> [ConversationRecord] {
        var terms: [String] = []
        if unreadOnly { terms.append("\(ConversationRecord.isLive) AND unread > 0") }
        if account != nil { terms.append("account = ?") }
        let condition = terms.isEmpty ? "" : "WHERE " + terms.joined(separator: " AND ")
        // Few are unread: sorting them is better than walking all the others in order.
        let index = unreadOnly ? "conversation_live" : "conversation_newest"
        let sql = """
            SELECT \(ConversationRecord.columns) FROM conversation INDEXED BY \(index) \(condition)
            ORDER BY sort_at DESC, account DESC, id DESC LIMIT ?
            """
        let bound: Values = account.map { [$0.stored] } ?? []
        return try all(sql, bound + [(limit ?? -1).stored], ConversationRecord.init(_:))
    }

    /// Writes the whole row, in place of the one that was there. `conversation.messages` are ignored.
    public func save(_ record: ConversationRecord) throws {
        try run(Self.saveConversation, record.values)
    }

    private static let saveConversation = """
        REPLACE INTO conversation (\(ConversationRecord.columns), sort_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// The accounts that have a conversation of this id: one, unless the id is ambiguous.
    public func accounts(holding conversation: Conversation.ID) throws -> [AccountID] {
        let sql = """
            SELECT id FROM account AS a WHERE EXISTS
            (SELECT 1 FROM conversation AS c WHERE c.account = a.id AND c.id = ?) ORDER BY id
            """
        return try all(sql, [conversation.stored]) { $0.account() }
    }
}
