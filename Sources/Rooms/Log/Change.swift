package import CutieAPI
import Inbox
@_spi(Log) package import Store

/// One transaction's worth of changes to one account. Not to be kept after it.
package final class Change {
    package let transaction: Transaction
    let account: AccountID
    let now: Timestamp
    /// By the server's clock; nil where it is not known.
    let serverNow: Timestamp?
    let oldestNews: Timestamp
    /// The state was looked at so recently that an event may tell of what was before.
    let mayOverlap: Bool
    let perspective: Perspective
    /// Whether a rule takes a message out of the badge.
    let ignores: (Message, Conversation) -> Bool
    let inboxes: SharedInboxes
    /// The badge of the other accounts: a log entry tells the sum.
    let others: Badge
    var badge: Badge
    /// The log's sequence before this change, and since.
    let head: Int64
    private(set) var sequence: Int64?
    /// How far events were taken; nil: none came.
    var progress: AccountTable.Progress?
    /// What waits to be announced since this change.
    package var fresh: [MessageRecord] = []
    /// As it was saved last.
    package private(set) var conversation: ConversationRecord?
    /// Something that was unread may be so no more.
    var hasRead = false
    /// What waited for nobody is to be announced after all.
    var hasFreed = false
    /// The account joined or left an inbox.
    var hasRegrouped = false
    /// What the log need not tell, as another account's entry does.
    var copies: Set<Place> = []
    /// Of these something was left out that may be older than what is here.
    private(set) var doubtful: [Conversation.ID] = []

    /// Where a message is.
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

    /// Appends to the log, with the badge as it is now.
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

    /// Saves a conversation whose counts changed and folds the difference into the badge.
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

    /// Where the account stands now.
    func keepPlace() throws {
        if let progress {
            try transaction.accounts.setProgress(progress, unread: badge.unread, of: account)
        } else if badge.unread != unreadBefore {
            try transaction.accounts.setUnread(badge.unread, of: account)
        }
    }

    /// Whether a server's total is the sum of what is here, or differs for a mark-read that it has not got yet.
    func explains(_ total: Int?) throws -> Bool {
        guard perspective.isCountedByServer, let total, total != badge.unread else { return true }
        return try transaction.outbox.readCount(of: account) > 0
    }

    /// An event seen before has no second effect.
    func isNew(_ event: Event) throws -> Bool {
        try transaction.events.insert(event.id, account: account, at: now)
    }

    /// A server that begins anew may give ids again: what is told under one that was seen may be new.
    func bringsNews(_ event: Event) throws -> Bool {
        guard case .messageCreated(let news) = event.payload else { return false }
        return try !transaction.messages.hasSeen(news.message.id, in: news.conversationID, account: account)
    }
}
