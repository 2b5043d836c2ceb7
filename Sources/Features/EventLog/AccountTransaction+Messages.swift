import Config
import CutieAPI
import FeedPolicy
@_spi(EventLog) import Store

extension AccountTransaction {
    /// The ledger reasons for messages that were not announced on arrival.
    private static let (olderThanHistory, wasRead) = ("older than the stored history", "already read")
    private static let ownMessage = "your own message"
    /// The ledger reason for unread replies that a first sync found. Hooks do not treat these replies as new.
    static let firstSync = "first sync"
    /// The ledger reasons that record where a message was read.
    static let (onThisDevice, onAnotherDevice) = ("here", "on another device")

    /// Stores a message, unless it is already known or hidden.
    ///
    /// - Returns: the row of the message; `nil` if it was not stored.
    func add(
        _ message: Message, of record: inout ConversationRecord, isPending: Bool,
        holdReason: String? = nil,
        by source: TransportKind
    ) throws -> Int64? {
        let row = try prepareMessage(
            message, of: &record, isPending: isPending, holdReason: holdReason, by: source)
        try insertMessage()
        return row
    }

    /// Prepares a message as `add` does, but leaves the call of `insertMessage` to the caller.
    ///
    /// - Parameters:
    ///   - isPending: whether the message is to be announced.
    ///   - holdReason: the reason to hold the message; `nil` to announce it immediately.
    /// - Returns: the row of the message; `nil` if it was not stored.
    func prepareMessage(
        _ message: Message, of record: inout ConversationRecord, isPending: Bool,
        holdReason: String? = nil,
        by source: TransportKind
    ) throws -> Int64? {
        guard !perspective.hides(message) else { return nil }
        try insertMessage()
        var message = message
        message.conversation = record.conversation.id
        // Set the current time for a message without a date, which would otherwise be pruned immediately as
        // the oldest message.
        if message.createdAt <= .epoch { message.createdAt = serverNow ?? now }
        let handling = try chooseHandling(
            of: message, in: record.conversation, isPending: isPending, holdReason: holdReason, by: source)
        guard try !isStored(message) else { return nil }
        let row = try transaction.messages.nextSequence()
        let (isOwn, isNote) = (perspective.isFromOwnSide(message), perspective.isNote(message))
        uninserted = MessageRow(
            message, row: row, account: account, event: event, isOwn: isOwn, isNote: isNote,
            stage: handling.stage, reason: handling.reason, detail: handling.detail,
            pending: handling.isAnnounced, at: now)
        event = nil
        if handling.isCopy { copies.insert(row) }
        if handling.isAnnounced { try markCopiesAnnounced(message) }
        if handling.isAnnounced, handling.stage == .stored {
            newMessages.append(
                MessageRecord(
                    account: account, message: message, row: row, sequence: row,
                    stage: handling.stage, pending: true, isOwn: isOwn, isNote: isNote))
        }
        let isFirst = record.newestSequence == 0
        // An older message that was fetched later does not change who wrote last.
        if !isNote, message.senderType != .system, message.createdAt >= record.lastMessageAt ?? .epoch {
            record.lastSender = message.senderType
        }
        (record.lastMessage, record.lastMessageAt) = (message.text, message.createdAt)
        record.newestSequence = row
        try endSnooze(by: message, isFirst: isFirst, in: &record)
        return row
    }

    /// The first stage of an incoming message, with the reason and the detail that the ledger records.
    private struct Handling {
        let stage: LedgerStage
        var reason: LedgerEntry.StepReason?
        let detail: String?
        let isAnnounced: Bool
        /// Whether the log already contains the message from another account of the inbox.
        let isCopy: Bool
    }

    private func chooseHandling(
        of message: Message, in conversation: Conversation, isPending: Bool, holdReason: String?,
        by source: TransportKind
    ) throws -> Handling {
        if isPending, !perspective.isSubscribed(to: conversation) {
            return Handling(
                stage: .received, detail: Self.assignedToColleague, isAnnounced: false, isCopy: false)
        }
        let isNews = isPending && message.createdAt >= oldestNews
        if isNews, let (stage, reason, detail) = try findStepIfAnnouncedElsewhere(message) {
            return Handling(stage: stage, reason: reason, detail: detail, isAnnounced: false, isCopy: true)
        }
        let isNoNews = !isNews && !perspective.isOwn(message)
        let stage: LedgerStage = isNoNews ? .read : holdReason != nil && isNews ? .held : .stored
        let known = perspective.isReply(message) ? Self.wasRead : Self.colleagueName(of: message)
        let noNews =
            isNoNews
            ? ", " + (isPending ? Self.olderThanHistory : known) : isNews ? "" : ", " + Self.ownMessage
        return Handling(
            stage: stage, detail: stage == .held ? holdReason : "by \(source.name)\(noNews)",
            isAnnounced: isNews,
            isCopy: try !isNews && isStoredInSibling(message))
    }

    private static func colleagueName(of message: Message) -> String {
        message.isInternalNote ? "an internal note" : "not from a user"
    }

    /// Adds a reply to the badge, unless a rule excludes it or the conversation is not followed.
    func addToBadge(_ message: Message, in record: inout ConversationRecord) {
        guard perspective.isSubscribed(to: record.conversation), !ignores(message, record.conversation)
        else { return }
        record.sinceClear = perspective.countsConversations ? 1 : record.sinceClear + 1
    }

    /// Marks all but the newest `count` of the newest `total` replies as read, so that they are no longer
    /// announced.
    ///
    /// - Parameter total: the number of newest replies to examine; `nil` for all unread replies.
    func markRead(
        _ record: inout ConversationRecord, leaving count: Int, of total: Int? = nil,
        reason: String = onAnotherDevice
    ) throws {
        try insertMessage()
        let left = max(0, count)
        let read = try transaction.replies.findUnread(
            in: record.conversation.id, account: account, unreadCount: total ?? record.unread, remaining: left
        )
        if !read.isEmpty { hasRead = true }
        try transaction.ledger.append(
            .read, detail: reason, at: now, to: read, in: record.conversation.id, account: account,
            pending: false)
        record.unread = left
        record.sinceClear = min(record.sinceClear, left)
        record.conversation.unreadCount = left
    }

    /// Returns the server's unread count, limited to the replies that a mark-read in the outbox does not
    /// cover.
    func computeUnread(reportedByServer count: Int, of record: ConversationRecord) throws -> Int {
        guard
            let bound = try transaction.outbox.fetchNewestReadMessageID(
                in: record.conversation.id, account: account)
        else {
            return max(0, count)
        }
        try insertMessage()
        return min(
            max(0, count),
            try transaction.replies.countReplies(in: record.conversation.id, account: account, after: bound))
    }
}

extension Conversation {
    /// Merges the conversation summary of an event; missing values stay unchanged.
    mutating func merge(_ summary: Event.Summary?) {
        guard let summary else { return }
        title = summary.title ?? title
        category = summary.category ?? category
        priority = summary.priority ?? priority
        status = summary.status ?? status
    }

    /// Merges a newer state of the conversation; missing values stay unchanged.
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
