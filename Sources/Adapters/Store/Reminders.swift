public import CutieAPI

/// A reminder about a conversation at a certain time.
public struct ReminderRecord: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        /// The user snoozed the conversation. The snooze expires at `dueAt`.
        case snooze
        /// The sender of the last message has been waiting for an answer since `since`.
        case waiting
    }

    public enum State: String, Hashable, Sendable {
        case scheduled
        /// The time `dueAt` has passed, and the notification is pending.
        case due
        /// The notification was shown, or is no longer needed.
        case done
    }

    public var account: AccountID
    public var conversation: Conversation.ID
    public var kind: Kind
    public var dueAt: Timestamp
    public var since: Timestamp
    public var state: State

    public init(
        account: AccountID, conversation: Conversation.ID, kind: Kind, dueAt: Timestamp, since: Timestamp,
        state: State = .scheduled
    ) {
        (self.account, self.conversation, self.kind) = (account, conversation, kind)
        (self.dueAt, self.since, self.state) = (dueAt, since, state)
    }
}

/// The table of reminders. A conversation has at most one reminder of each kind.
public struct ReminderTable {
    let transaction: Transaction

    static let snoozedUntil = """
        (SELECT r.due_at FROM reminder AS r WHERE r.account = conversation.account
        AND r.conversation = conversation.id AND r.kind = 'snooze' AND r.state = 'scheduled')
        """

    /// The SQL column with the time at which the snooze of a conversation expires; `endedSnooze` if the
    /// snooze has expired but its reminder is still stored.
    static let snooze = """
        (SELECT CASE r.state WHEN 'scheduled' THEN r.due_at ELSE \(endedSnooze.milliseconds) END
        FROM reminder AS r WHERE r.account = conversation.account AND r.conversation = conversation.id
        AND r.kind = 'snooze')
        """
    static let endedSnooze = Timestamp(milliseconds: -1)

    public func find(
        _ kind: ReminderRecord.Kind, of conversation: Conversation.ID, account: AccountID
    ) throws -> ReminderRecord? {
        let sql = """
            SELECT \(ReminderRecord.columns) FROM reminder
            WHERE account = ? AND conversation = ? AND kind = ?
            """
        return try transaction.fetchOne(
            sql, [account.stored, conversation.stored, kind.rawValue.stored], ReminderRecord.init(_:))
    }

    /// Returns the reminders of an account that are not done, earliest first.
    public func fetchOpen(account: AccountID, limit: Int) throws -> [ReminderRecord] {
        let sql = """
            SELECT \(ReminderRecord.columns) FROM reminder INDEXED BY reminder_open
            WHERE account = ? AND state <> 'done' ORDER BY due_at LIMIT ?
            """
        return try transaction.fetchAll(sql, [account.stored, limit.stored], ReminderRecord.init(_:))
    }

    /// Inserts or replaces a reminder.
    @_spi(EventLog) public func save(_ reminder: ReminderRecord) throws {
        try transaction.run(
            """
            REPLACE INTO reminder (account, conversation, kind, due_at, since, state)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                reminder.account.stored, reminder.conversation.stored, reminder.kind.rawValue.stored,
                reminder.dueAt.stored, reminder.since.stored, reminder.state.rawValue.stored,
            ])
    }

    @_spi(EventLog) public func remove(
        _ kind: ReminderRecord.Kind, of conversation: Conversation.ID, account: AccountID
    ) throws {
        try transaction.run(
            "DELETE FROM reminder WHERE account = ? AND conversation = ? AND kind = ?",
            [account.stored, conversation.stored, kind.rawValue.stored])
    }

    /// Deletes all reminders of one kind in an account.
    @_spi(EventLog) public func removeAll(_ kind: ReminderRecord.Kind, account: AccountID) throws {
        try transaction.run(
            "DELETE FROM reminder WHERE account = ? AND kind = ?",
            [account.stored, kind.rawValue.stored])
    }
}

extension ReminderRecord {
    fileprivate static let columns = "account, conversation, kind, due_at, since, state"

    fileprivate init(_ row: inout ColumnReader) {
        account = row.readAccountID()
        conversation = row.readID()
        kind = Kind(rawValue: row.readText()) ?? .snooze
        dueAt = row.readTime()
        since = row.readTime()
        state = State(rawValue: row.readText()) ?? .done
    }
}
