public import CutieAPI

/// The marks that the user set on a conversation. The marks are stored only locally, because the API does not
/// support them.
public struct ConversationMarks: Hashable, Sendable {
    /// Whether new replies cause no notification and do not count towards the badge.
    public var isMuted: Bool
    /// Whether the user marked the conversation as unread, independent of the number of unread replies.
    public var isUnread: Bool
    /// The time at which the snooze expires; `nil` if the conversation is not snoozed. The snooze is stored
    /// as a reminder.
    public var snoozedUntil: Timestamp?
    /// Whether the snooze has expired but its reminder is still stored.
    public internal(set) var hasEndedSnooze = false

    public init(isMuted: Bool = false, isUnread: Bool = false, snoozedUntil: Timestamp? = nil) {
        (self.isMuted, self.isUnread, self.snoozedUntil) = (isMuted, isUnread, snoozedUntil)
    }

    /// Decodes the marks from the columns that `ConversationRecord` selects.
    ///
    /// - Parameter snooze: the column `ReminderTable.snooze`.
    init(stored: Int, snooze: Timestamp?) {
        let hasEnded = snooze == ReminderTable.endedSnooze
        self.init(
            isMuted: stored & 1 != 0, isUnread: stored & 2 != 0, snoozedUntil: hasEnded ? nil : snooze)
        hasEndedSnooze = hasEnded
    }

    static let selected = """
        (SELECT m.muted + 2 * m.unread FROM conversation_mark AS m
        WHERE m.account = conversation.account AND m.conversation = conversation.id)
        """

    static let isUnread = """
        EXISTS (SELECT 1 FROM conversation_mark AS m WHERE m.account = conversation.account
        AND m.conversation = conversation.id AND m.unread = 1)
        """

    static let isMuted = """
        EXISTS (SELECT 1 FROM conversation_mark AS m WHERE m.account = conversation.account
        AND m.conversation = conversation.id AND m.muted = 1)
        """

    static let isSnoozed = "\(ReminderTable.snoozedUntil) IS NOT NULL"
}

/// The table of conversation marks. This table is separate from the table of conversations, because each
/// reply rewrites the row of its conversation, and the marks would make the row longer.
public struct ConversationMarkTable {
    let transaction: Transaction

    /// Stores the marks of a conversation, except the snooze.
    @_spi(EventLog) public func setMarks(
        _ marks: ConversationMarks, of conversation: Conversation.ID, account: AccountID
    ) throws {
        guard marks.isMuted || marks.isUnread else {
            return try transaction.run(
                "DELETE FROM conversation_mark WHERE account = ? AND conversation = ?",
                [account.stored, conversation.stored])
        }
        try transaction.run(
            "REPLACE INTO conversation_mark (account, conversation, muted, unread) VALUES (?, ?, ?, ?)",
            [account.stored, conversation.stored, marks.isMuted.stored, marks.isUnread.stored])
    }

    /// Returns the muted conversations of all accounts.
    public func fetchMuted() throws -> [(account: AccountID, conversation: Conversation.ID)] {
        try transaction.fetchAll("SELECT account, conversation FROM conversation_mark WHERE muted = 1") {
            (account: $0.readAccountID(), conversation: $0.readID())
        }
    }
}
