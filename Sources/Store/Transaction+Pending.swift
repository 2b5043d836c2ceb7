public import CutieAPI
internal import GRDB

/// How many messages of a conversation wait to be announced.
public struct PendingCount: Hashable, Sendable {
    public let account: AccountID
    public let conversation: Conversation.ID
    /// At least 1.
    public let count: Int

    public init(account: AccountID, conversation: Conversation.ID, count: Int) {
        self.account = account
        self.conversation = conversation
        self.count = count
    }
}

extension Transaction {
    /// The messages that wait to be announced with a sequence after `sequence`, in the order they came.
    public func pendingMessages(limit: Int, after sequence: Int64 = -1) throws -> [MessageRecord] {
        let sql = """
            SELECT \(MessageRecord.columns) FROM message AS m WHERE pending = 1 AND sequence > ?
            ORDER BY sequence, row LIMIT ?
            """
        return try all(sql, [sequence, limit], MessageRecord.init(_:))
    }

    /// The messages that wait to be announced, in the order they came: those that are held for a reason,
    /// or the others. A long list of held ones does not slow the others down.
    public func pendingMessages(held: Bool, limit: Int) throws -> [MessageRecord] {
        // The number is part of the statement: a bound one would not be matched with the index.
        let sql = """
            SELECT \(MessageRecord.columns) FROM message AS m
            WHERE pending = 1 AND stage \(held ? "=" : "<>") \(Stage.held.code) ORDER BY sequence, row LIMIT ?
            """
        return try all(sql, [limit], MessageRecord.init(_:))
    }

    /// The conversations in which messages wait to be announced.
    public func pendingCounts() throws -> [PendingCount] {
        // Without the hint SQLite walks all messages in the order of the groups.
        let sql = """
            SELECT account, conversation, COUNT(*) FROM message INDEXED BY message_pending
            WHERE pending = 1 GROUP BY account, conversation
            """
        return try all(sql) {
            PendingCount(account: $0.account(), conversation: $0.id(), count: $0.int())
        }
    }

    /// The messages that are at `stage`, in the order they came. Quick for `.announcing`, which is
    /// asked at every start; any other stage looks at every message.
    public func messages(stage: Stage) throws -> [MessageRecord] {
        // The number is part of the statement: a bound one would not be matched with the index.
        let sql = """
            SELECT \(MessageRecord.columns) FROM message AS m WHERE stage = \(stage.code)
            ORDER BY sequence, row
            """
        return try all(sql, [], MessageRecord.init(_:))
    }
}
