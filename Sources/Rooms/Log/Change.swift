package import CutieAPI
import Inbox
@_spi(Log) package import Store

/// The changes of one transaction to one account. A change must not be used after its transaction.
package final class Change {
    package let transaction: Transaction
    let account: AccountID
    let now: Timestamp
    /// The time of the server's clock; `nil` if unknown.
    let serverNow: Timestamp?
    let oldestNews: Timestamp
    /// Whether the state was polled so recently that an event may describe an older state.
    let mayOverlap: Bool
    let perspective: Perspective
    /// Whether a rule excludes a message from the badge.
    let ignores: (Message, Conversation) -> Bool
    let inboxes: SharedInboxes
    /// The badge of all other accounts, because log entries contain the total.
    let others: Badge
    var badge: Badge
    /// The log sequence before this change, and the newest one of this change.
    let head: Int64
    private(set) var sequence: Int64?
    /// The position in the event stream; `nil` if the change contains no events.
    var progress: AccountTable.Progress?
    /// The messages to announce that this change stored.
    package var fresh: [MessageRecord] = []
    /// The conversation that was saved last.
    package private(set) var conversation: ConversationRecord?
    /// Whether unread replies may have been read.
    var hasRead = false
    /// Whether replies that were not to be announced are now pending.
    var hasFreed = false
    /// Whether the account joined or left a shared inbox.
    var hasRegrouped = false
    /// The messages that are not logged, because another account's entry covers them.
    var copies: Set<Place> = []
    /// Conversations of which an event was skipped, because it may be older than the stored state.
    private(set) var doubtful: [Conversation.ID] = []

    /// The key of a message.
    struct Place: Hashable {
        let message: Message.ID
        let conversation: Conversation.ID

        init(_ message: Message) { self.init(message.id, in: message.conversation) }

        init(_ message: Message.ID, in conversation: Conversation.ID) {
            (self.message, self.conversation) = (message, conversation)
        }
    }

    init(
        transaction: Transaction, account: AccountID, now: Timestamp, serverNow: Timestamp?,
        oldestNews: Timestamp, mayOverlap: Bool, perspective: Perspective,
        ignores: @escaping (Message, Conversation) -> Bool, inboxes: SharedInboxes, others: Badge,
        badge: Badge, head: Int64
    ) {
        self.transaction = transaction
        self.account = account
        self.now = now
        self.serverNow = serverNow
        self.oldestNews = oldestNews
        self.mayOverlap = mayOverlap
        self.perspective = perspective
        self.ignores = ignores
        self.inboxes = inboxes
        self.others = others
        self.badge = badge
        self.head = head
        unreadBefore = badge.unread
    }

    private let unreadBefore: Int?

    /// Appends a log entry with the current badge.
    @discardableResult
    package func log(
        _ kind: LogEntry.Kind, _ record: ConversationRecord? = nil, message: Message.ID? = nil,
        state: String? = nil, data: String? = nil
    ) throws -> Int64 {
        let sum = inboxes.isSecond(account) ? others : Badge.sum([badge, others])
        let sequence = try transaction.log.append(
            kind, at: now, account: account, conversation: record?.conversation.id, message: message,
            badgeTotal: sum.total, badgeUnread: sum.unread, badgeConversation: record?.badge, state: state,
            data: data)
        self.sequence = sequence
        return sequence
    }

    /// Saves a conversation and adds the difference of its counts to the badge.
    func save(_ record: ConversationRecord, was before: ConversationRecord?) throws {
        if record.unread < before?.unread ?? 0 { hasRead = true }
        badge.total = badge.total.map { $0 + record.badge - (before?.badge ?? 0) }
        badge.unread = badge.unread.map { max(0, $0 + record.unread - (before?.unread ?? 0)) }
        try transaction.conversations.save(record, was: before)
        conversation = record
    }

    func doubt(_ conversation: Conversation.ID) {
        if !doubtful.contains(conversation) { doubtful.append(conversation) }
    }

    /// Stores the account's progress and unread count.
    func keepPlace() throws {
        if let progress {
            try transaction.accounts.setProgress(progress, unread: badge.unread, of: account)
        } else if badge.unread != unreadBefore {
            try transaction.accounts.setUnread(badge.unread, of: account)
        }
    }

    /// Returns whether the server's total equals the local sum, or differs because of a pending mark-read.
    func explains(_ total: Int?) throws -> Bool {
        guard perspective.isCountedByServer, let total, total != badge.unread else { return true }
        return try transaction.outbox.readCount(of: account) > 0
    }

    /// Records the event's id and returns whether the event is new, which makes processing idempotent.
    func isNew(_ event: Event) throws -> Bool {
        try transaction.events.insert(event.id, account: account, at: now)
    }

    /// Returns whether an event with a known id contains an unknown message. A server that was reset may
    /// reuse event ids.
    func bringsNews(_ event: Event) throws -> Bool {
        guard case .messageCreated(let news) = event.payload else { return false }
        return try !transaction.messages.hasSeen(news.message.id, in: news.conversationID, account: account)
    }
}
