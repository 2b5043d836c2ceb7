import CutieAPI
import Inbox
@_spi(Log) import Store

extension Change {
    /// The ledger's words on what was no news when it came.
    private static let (tooOld, wasRead) = ("older than the kept history", "already read")
    private static let ownWords = "your own"
    /// The ledger's word on what a first sync found unread: no news to a hook.
    static let firstSync = "first sync"
    /// The ledger's words on where a message was read.
    static let (here, elsewhere) = ("here", "on another device")

    /// Stores a message unless it was seen before, or is hidden: that leaves nothing behind. `pending`: it waits to
    /// be announced.
    func add(
        _ message: Message, of record: inout ConversationRecord, pending: Bool, heldFor why: String? = nil,
        by source: Rung
    ) throws -> Bool {
        guard !perspective.hides(message) else { return false }
        var message = message
        message.conversation = record.conversation.id
        // Without a date it would be the oldest of all and pruned at once.
        if message.createdAt <= .epoch { message.createdAt = serverNow ?? now }
        let fate = try fate(
            of: message, in: record.conversation, pending: pending, heldFor: why, by: source)
        // The entry of the log that tells of it follows at once.
        let sequence = (sequence ?? head) + 1
        guard
            let row = try transaction.messages.insert(
                message, account: account, sequence: sequence,
                isOwn: perspective.isOfThisSide(message), isNote: perspective.isNote(message),
                stage: fate.stage, reason: fate.reason,
                detail: fate.detail,
                pending: fate.isAnnounced, at: now)
        else { return false }
        if fate.isCopy { copies.insert(Place(message)) }
        if fate.isAnnounced { try noteTold(message) }
        if fate.isAnnounced, fate.stage == .stored {
            fresh.append(
                MessageRecord(
                    account: account, message: message, row: row, sequence: sequence,
                    stage: fate.stage, pending: true, isOwn: perspective.isOfThisSide(message),
                    isNote: perspective.isNote(message)))
        }
        (record.lastMessage, record.lastMessageAt) = (message.text, message.createdAt)
        record.newestSequence = sequence
        return true
    }

    /// What becomes of a message that comes.
    private struct Fate {
        let stage: Stage
        var reason: LedgerEntry.Reason?
        let detail: String?
        let isAnnounced: Bool
        /// The log tells of it as another account's.
        let isCopy: Bool
    }

    private func fate(
        of message: Message, in conversation: Conversation, pending: Bool, heldFor why: String?,
        by source: Rung
    ) throws -> Fate {
        if pending, !perspective.isFollowed(conversation) {
            return Fate(stage: .received, detail: Self.othersTask, isAnnounced: false, isCopy: false)
        }
        let isNews = pending && message.createdAt >= oldestNews
        if isNews, let (stage, reason, detail) = try toldElsewhere(message) {
            return Fate(stage: stage, reason: reason, detail: detail, isAnnounced: false, isCopy: true)
        }
        let isNoNews = !isNews && !perspective.isOwn(message)
        let stage: Stage = isNoNews ? .read : why != nil && isNews ? .held : .stored
        let known = perspective.isReply(message) ? Self.wasRead : Self.colleague(of: message)
        let noNews = isNoNews ? ", " + (pending ? Self.tooOld : known) : isNews ? "" : ", " + Self.ownWords
        return Fate(
            stage: stage, detail: stage == .held ? why : "by \(source.name)\(noNews)", isAnnounced: isNews,
            isCopy: try !isNews && isLogged(message))
    }

    private static func colleague(of message: Message) -> String {
        message.isInternalNote ? "an internal note" : "not a user's"
    }

    /// One more for the badge, but for what a rule ignores.
    func count(_ message: Message, in record: inout ConversationRecord) {
        guard perspective.isFollowed(record.conversation), !ignores(message, record.conversation)
        else { return }
        record.sinceClear = perspective.countsConversations ? 1 : record.sinceClear + 1
    }

    /// The log entry of a message.
    func logMessage(_ message: Message, _ record: ConversationRecord) throws {
        guard !copies.contains(Place(message.id, in: record.conversation.id)) else { return }
        try log(.messageCreated, record, message: message.id)
    }

    /// Of the newest `total` replies (nil: those that were unread) all but the newest `count` have been
    /// read: they are not announced any more.
    func markRead(
        _ record: inout ConversationRecord, leaving count: Int, of total: Int? = nil, how: String = elsewhere
    ) throws {
        let left = max(0, count)
        let read = try transaction.replies.unread(
            in: record.conversation.id, account: account, of: total ?? record.unread, leaving: left)
        if !read.isEmpty { hasRead = true }
        try transaction.ledger.append(
            .read, detail: how, at: now, to: read, in: record.conversation.id, account: account,
            pending: false)
        record.unread = left
        record.sinceClear = min(record.sinceClear, left)
        record.conversation.unreadCount = left
    }

    /// A mark-read that still waits in the outbox is already true for the person: of what the server
    /// counts, only what came after it is unread.
    func unread(saidByServer count: Int, of record: ConversationRecord) throws -> Int {
        guard let bound = try transaction.outbox.readBound(in: record.conversation.id, account: account)
        else {
            return max(0, count)
        }
        return min(
            max(0, count),
            try transaction.replies.count(in: record.conversation.id, account: account, after: bound))
    }
}

extension Conversation {
    /// What an event tells of its conversation; what it leaves out stays.
    mutating func merge(_ summary: Event.Summary?) {
        guard let summary else { return }
        title = summary.title ?? title
        category = summary.category ?? category
        priority = summary.priority ?? priority
        status = summary.status ?? status
    }

    /// A newer state of the same conversation; what it leaves out stays.
    mutating func merge(_ newer: Conversation) {
        var merged = newer
        merged.title = newer.title ?? title
        merged.category = newer.category ?? category
        merged.priority = newer.priority ?? priority
        merged.customerID = newer.customerID ?? customerID
        merged.userID = newer.userID ?? userID
        merged.userName = newer.userName ?? userName
        merged.deviceID = newer.deviceID ?? deviceID
        merged.assignedAdminID = newer.assignedAdminID ?? assignedAdminID
        merged.appID = newer.appID ?? appID
        merged.appName = newer.appName ?? appName
        merged.messageCount = newer.messageCount ?? messageCount
        merged.unreadCount = newer.unreadCount ?? unreadCount
        merged.tags = newer.tags ?? tags
        merged.createdAt = newer.createdAt ?? createdAt
        merged.updatedAt = newer.updatedAt ?? updatedAt
        merged.messages = nil
        self = merged
    }
}
