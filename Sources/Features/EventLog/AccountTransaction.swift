package import CutieAPI
import FeedPolicy
@_spi(EventLog) package import Store

/// The changes that one transaction makes to one account. Do not use this object after the end of the
/// transaction.
package final class AccountTransaction {
    package let transaction: Transaction
    let account: AccountID
    let now: Timestamp
    /// The time of the server's clock; `nil` if unknown.
    let serverNow: Timestamp?
    let oldestNews: Timestamp
    /// Whether the state was polled so recently that an event may describe an older state.
    let mayOverlap: Bool
    let perspective: Perspective
    /// Returns whether a rule excludes a message from the badge.
    let ignores: (Message, Conversation) -> Bool
    /// The time after which a waiting conversation causes a reminder; `nil` for never.
    let reminderDelay: Duration?
    let inboxes: SharedInboxes
    /// The badge of all other accounts, which is needed for the total in log entries.
    let others: Badge
    var badge: Badge
    /// The sequence number of the newest log entry of this change; `nil` before the first entry.
    package private(set) var sequence: Int64?
    /// The position in the event stream; `nil` if the change contains no events.
    var progress: AccountTable.Progress?
    /// The ID of the event that is being applied; `nil` after the ID was stored with a message.
    var event: Event.ID?
    /// The message of the newest event. Its row is inserted last, with the log entry and the ledger step
    /// `announcing`, because a later UPDATE would write all columns again. Call `insertPreparedMessage` before you
    /// read messages or add another message or log entry.
    var uninserted: MessageRow?
    /// The message of the newest event, if `isNew` found that the message is not stored.
    var unknownMessage: Message.ID?
    /// The messages that this change stored and that are to be announced.
    package var newMessages: [MessageRecord] = []
    /// The conversation that was saved last; `nil` if none was saved.
    package private(set) var conversation: ConversationRecord?
    /// Whether the user may have read replies that were unread before this transaction.
    var hasRead = false
    /// Whether replies that were excluded from announcements are now pending.
    var hasReleased = false
    /// Whether reminders may have changed or become obsolete.
    var mayChangeReminders = false
    /// Whether the account joined or left a shared inbox.
    var didChangeInbox = false
    /// The rows of messages that are not logged: a log entry of another account covers these messages.
    var copies: Set<Int64> = []
    /// The conversations with an event that was skipped because it may be older than the stored state.
    private(set) var needsRefetch: [Conversation.ID] = []
    /// The conversations of a staff account that were created from a message event. Such an event contains no
    /// facts about the app's user.
    var lackingUserFacts: [Conversation.ID] = []

    init(
        transaction: Transaction, account: AccountID, now: Timestamp, serverNow: Timestamp?,
        oldestNews: Timestamp, mayOverlap: Bool, perspective: Perspective,
        ignores: @escaping (Message, Conversation) -> Bool, reminderDelay: Duration?,
        inboxes: SharedInboxes, others: Badge, badge: Badge
    ) {
        self.transaction = transaction
        self.account = account
        self.now = now
        self.serverNow = serverNow
        self.oldestNews = oldestNews
        self.mayOverlap = mayOverlap
        self.perspective = perspective
        self.ignores = ignores
        self.reminderDelay = reminderDelay
        self.inboxes = inboxes
        self.others = others
        self.badge = badge
        unreadBefore = badge.unread
    }

    // The implicit `deinit` would be isolated to the main actor, and check the executor for each event.
    nonisolated deinit {}

    private let unreadBefore: Int?

    /// Appends a log entry about `record` (`nil` for an entry about the account) with the current badge.
    /// Returns the sequence number of the entry.
    @discardableResult
    package func log(
        _ kind: LogEntry.Kind, for record: ConversationRecord? = nil, message: Message.ID? = nil,
        state: String? = nil, data: String? = nil
    ) throws -> Int64 {
        try insertPreparedMessage()
        let sum = sum
        mayChangeReminders = true
        let sequence = try transaction.log.append(
            kind, at: now, account: account, conversation: record?.conversation.id, message: message,
            badgeTotal: sum.total, badgeUnread: sum.unread, badgeConversation: record?.badge, state: state,
            data: data)
        self.sequence = sequence
        return sequence
    }

    /// Logs a stored message with the current badge, unless another account of the inbox logs it.
    func logMessage(inRow row: Int64, record: ConversationRecord) throws {
        guard !copies.contains(row) else { return }
        let sum = sum
        if uninserted?.row == row {
            uninserted?.entry = MessageRow.LogCounts(
                badgeTotal: sum.total, badgeUnread: sum.unread, badgeConversation: record.badge)
        } else {
            try transaction.log.appendMessage(
                inRow: row, badgeTotal: sum.total, badgeUnread: sum.unread,
                badgeConversation: record.badge)
        }
        sequence = max(sequence ?? 0, row)
    }

    /// Inserts the message that `prepareMessage` prepared, if it is not inserted yet.
    func insertPreparedMessage() throws {
        guard let new = uninserted else { return }
        (uninserted, unknownMessage) = (nil, nil)
        try transaction.messages.insert(new)
    }

    /// Adds the ledger step `announcing` to a message that was stored in this transaction. Does not check
    /// whether the message was read, because a message cannot be read in the transaction that stores it. The
    /// stage stays `stored`, because the daemon announces messages in both stages after a restart.
    package func recordAnnouncement(of record: MessageRecord, at time: Timestamp) throws {
        if uninserted?.row == record.row {
            uninserted?.announcedAt = time
        } else {
            try transaction.ledger.addStep(.announcing, at: time, toRow: record.row)
        }
    }

    /// The badge of all accounts.
    private var sum: Badge { inboxes.areRepliesCountedElsewhere(of: account) ? others : badge + others }

    /// Saves a conversation and adds the difference of its counts to the badge. Sets the badge of a muted
    /// conversation to 0, and removes the snooze of a conversation that has ended.
    func save(_ record: ConversationRecord, previous before: ConversationRecord?) throws {
        var record = record
        if record.marks.isMuted { record.sinceClear = 0 }
        if record.marks.snoozedUntil != nil, record.conversation.ending != nil {
            record.marks.snoozedUntil = nil
            try updateSnooze(from: record.marks, of: record.conversation.id)
        }
        if record.unread < before?.unread ?? 0 { hasRead = true }
        if record.marks != before?.marks || record.conversation.ending != before?.conversation.ending {
            mayChangeReminders = true
        }
        badge.total = badge.total.map { $0 + record.badge - (before?.badge ?? 0) }
        badge.unread = badge.unread.map { max(0, $0 + record.unread - (before?.unread ?? 0)) }
        try transaction.conversations.save(record, previous: before)
        conversation = record
        if let reminderDelay { try updateWaitReminder(of: record, after: reminderDelay) }
    }

    func requestRefetch(of conversation: Conversation.ID) {
        if !needsRefetch.contains(conversation) { needsRefetch.append(conversation) }
    }

    /// Stores the account's progress and unread count.
    func saveProgress() throws {
        if let progress {
            try transaction.accounts.setProgress(progress, unreadCount: badge.unread, of: account)
        } else if badge.unread != unreadBefore {
            try transaction.accounts.setUnreadCount(badge.unread, of: account)
        }
    }
}
