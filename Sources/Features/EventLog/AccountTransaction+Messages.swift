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

    /// Applies a new message: stores the message, and updates its conversation and the badge.
    ///
    /// - Returns: `false` if the content of the event may be older than the stored state.
    func apply(
        _ messageEvent: Event.MessageCreated, at time: Timestamp, receivedOver transport: TransportKind
    ) throws -> Bool {
        guard !perspective.hides(messageEvent.message) else { return !mayOverlap }
        let before = try transaction.conversations.find(messageEvent.conversationID, account: account)
        var record =
            before
            ?? ConversationRecord(
                account: account, conversation: Conversation(id: messageEvent.conversationID))
        let counts = perspective.isReply(messageEvent.message)
        // A message that is not stored yet is new even if a poll has just fetched the conversation, because
        // the message was sent after the poll. Do not compare dates, because a server's clock may be
        // adjusted.
        let row = try prepareMessage(
            messageEvent.message, in: &record, isPending: counts, receivedOver: transport)
        let isNew = row != nil
        let isCurrent = isNew || !mayOverlap
        if isCurrent || before == nil { record.conversation.merge(messageEvent.conversation) }
        if isNew, counts { addToBadge(messageEvent.message, in: &record) }
        if isNew { try markReadIfAnswered(by: messageEvent.message, in: &record) }
        let counted = record.unread + (isNew && counts ? 1 : 0)
        // Ignore counts that may be older than the last poll, because they would undo a read mark.
        if isCurrent {
            let serverTotal = perspective.isCountedByServer ? messageEvent.unreadCount : nil
            record.unread = try computeUnreadCount(serverCount: serverTotal ?? counted, of: record)
            if record.unread < counted { hasRead = true }
        }
        if isNew || before == nil, time > .epoch { record.conversation.updatedAt = time }
        try save(record, previous: before)
        if let row { try logMessage(inRow: row, record: record) }
        // The account of an app's user needs no facts about that user.
        if before == nil, perspective != .user { lackingUserFacts.append(record.conversation.id) }
        return isCurrent
    }

    /// Stores a message, unless it is already known or hidden.
    ///
    /// - Returns: the row of the message; `nil` if it was not stored.
    func add(
        _ message: Message, to record: inout ConversationRecord, isPending: Bool,
        holdReason: String? = nil,
        receivedOver transport: TransportKind
    ) throws -> Int64? {
        let row = try prepareMessage(
            message, in: &record, isPending: isPending, holdReason: holdReason, receivedOver: transport)
        try insertPreparedMessage()
        return row
    }

    /// Prepares a message as `add` does. The caller must then call `insertPreparedMessage`.
    ///
    /// - Parameters:
    ///   - isPending: whether the message is to be announced.
    ///   - holdReason: the reason to hold the message; `nil` to announce it immediately.
    /// - Returns: the row of the message; `nil` if it was not stored.
    private func prepareMessage(
        _ message: Message, in record: inout ConversationRecord, isPending: Bool,
        holdReason: String? = nil,
        receivedOver transport: TransportKind
    ) throws -> Int64? {
        guard !perspective.hides(message) else { return nil }
        try insertPreparedMessage()
        var message = message
        message.conversation = record.conversation.id
        // Use the current time for a message without a date; otherwise, the message would be pruned
        // immediately as the oldest message.
        if message.createdAt <= .epoch { message.createdAt = serverNow ?? now }
        let handling = try chooseHandling(
            of: message, in: record.conversation, isPending: isPending, holdReason: holdReason,
            receivedOver: transport)
        guard try !isStored(message) else { return nil }
        let row = try transaction.messages.reserveSequence()
        let (isOwn, isNote) = (perspective.isFromOwnSide(message), perspective.isNote(message))
        uninserted = MessageRow(
            message, row: row, account: account, event: event, isOwn: isOwn, isNote: isNote,
            stage: handling.stage, reason: handling.reason, detail: handling.detail,
            pending: handling.isAnnounced, at: now)
        event = nil
        if handling.isCopy { copies.insert(row) }
        if handling.isAnnounced { try markCopiesAsAnnounced(of: message) }
        if handling.isAnnounced, handling.stage == .stored {
            newMessages.append(
                MessageRecord(
                    account: account, message: message, row: row, sequence: row,
                    stage: handling.stage, pending: true, isOwn: isOwn, isNote: isNote))
        }
        try setNewestMessage(message, row: row, of: &record)
        return row
    }

    /// Makes a message the newest message of its conversation, which may end the snooze of the conversation.
    private func setNewestMessage(
        _ message: Message, row: Int64, of record: inout ConversationRecord
    ) throws {
        let (isFirst, marks) = (record.newestSequence == 0, record.marks)
        // An older message that was fetched later does not change who wrote last.
        if !perspective.isNote(message), message.senderType != .system,
            message.createdAt >= record.lastMessageAt ?? .epoch
        {
            record.lastSender = message.senderType
        }
        (record.lastMessage, record.lastMessageAt) = (message.text, message.createdAt)
        record.newestSequence = row
        // The marks are not loaded if this is the first stored message of the conversation.
        if isFirst || marks.snoozedUntil != nil || marks.hasEndedSnooze {
            try endSnoozeIfNeeded(after: message, in: &record)
        }
    }

    private func isStored(_ message: Message) throws -> Bool {
        guard message.id != unknownMessage else { return false }
        return try transaction.messages.wasEverStored(message.id, in: message.conversation, account: account)
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
        receivedOver transport: TransportKind
    ) throws -> Handling {
        if isPending, !perspective.isSubscribed(to: conversation) {
            return Handling(
                stage: .received, detail: Self.assignedToColleague, isAnnounced: false, isCopy: false)
        }
        let isNews = isPending && message.createdAt >= oldestNews
        if isNews, let (stage, reason, detail) = try findStepIfAnnouncedElsewhere(for: message) {
            return Handling(stage: stage, reason: reason, detail: detail, isAnnounced: false, isCopy: true)
        }
        let isNoNews = !isNews && !perspective.isOwnMessage(message)
        let stage: LedgerStage = isNoNews ? .read : holdReason != nil && isNews ? .held : .stored
        let known = perspective.isReply(message) ? Self.wasRead : Self.senderDescription(of: message)
        let noNews =
            isNoNews
            ? ", " + (isPending ? Self.olderThanHistory : known) : isNews ? "" : ", " + Self.ownMessage
        return Handling(
            stage: stage, detail: stage == .held ? holdReason : "by \(transport.name)\(noNews)",
            isAnnounced: isNews,
            isCopy: try !isNews && isStoredInSiblingAccount(message))
    }

    private static func senderDescription(of message: Message) -> String {
        message.isInternalNote ? "an internal note" : "not from a user"
    }

    /// Adds a reply to the badge, unless a rule excludes it or the conversation is not followed.
    func addToBadge(_ message: Message, in record: inout ConversationRecord) {
        guard perspective.isSubscribed(to: record.conversation), !ignores(message, record.conversation)
        else { return }
        record.sinceClear = perspective.countsConversations ? 1 : record.sinceClear + 1
    }

    /// Marks a conversation as read if the message answers it.
    func markReadIfAnswered(by message: Message, in record: inout ConversationRecord) throws {
        guard perspective.isAnswer(message), record.unread > 0 else { return }
        try markRead(&record, exceptNewest: 0, reason: makeLedgerReasonForRead(afterAnswer: message))
    }

    /// Marks replies as read, so that they are no longer announced. Examines the newest `total` replies,
    /// and leaves the newest `count` of them unread.
    ///
    /// - Parameter total: the number of newest replies to examine; `nil` for all unread replies.
    func markRead(
        _ record: inout ConversationRecord, exceptNewest count: Int, amongNewest total: Int? = nil,
        reason: String = onAnotherDevice
    ) throws {
        try insertPreparedMessage()
        let left = max(0, count)
        let read = try transaction.replies.fetchUnreadReplies(
            in: record.conversation.id, account: account, amongNewest: total ?? record.unread,
            excludingNewest: left
        )
        if !read.isEmpty { hasRead = true }
        try transaction.ledger.append(
            .read, detail: reason, at: now, to: read, in: record.conversation.id, account: account,
            isPendingAfterwards: false)
        record.unread = left
        record.sinceClear = min(record.sinceClear, left)
        record.conversation.unreadCount = left
    }

    /// Returns the server's unread count, limited to the number of replies after the newest message that a
    /// pending mark-read in the outbox covers.
    func computeUnreadCount(serverCount count: Int, of record: ConversationRecord) throws -> Int {
        guard
            let bound = try transaction.outbox.fetchNewestReadMessageID(
                in: record.conversation.id, account: account)
        else {
            return max(0, count)
        }
        try insertPreparedMessage()
        return min(
            max(0, count),
            try transaction.replies.countReplies(in: record.conversation.id, account: account, after: bound))
    }
}

// MARK: - Copies of a message in other accounts of the inbox

extension AccountTransaction {
    /// Returns the ledger step (stage, reason and detail) of a reply that another account of the inbox
    /// announces; `nil` if this account announces it.
    private func findStepIfAnnouncedElsewhere(for message: Message) throws -> (
        LedgerStage, LedgerEntry.StepReason?, String
    )? {
        for sibling in inboxes.siblings(of: account) {
            let copy = try transaction.messages.find(message.id, in: message.conversation, account: sibling)
                .first
            guard let copy, copy.stage != .received else { continue }
            return (.held, .notShown, "announced by account " + inboxes.name(of: sibling))
        }
        guard inboxes.areRepliesCountedElsewhere(of: account) else { return nil }
        return (
            .received, nil, "account \(inboxes.name(of: inboxes.countingAccount(for: account))) announces it"
        )
    }

    /// Marks the copies in the other accounts of the inbox as announced by this account.
    private func markCopiesAsAnnounced(of message: Message) throws {
        for sibling in inboxes.siblings(of: account) {
            let copy = try transaction.messages.find(message.id, in: message.conversation, account: sibling)
                .first
            guard copy?.stage == .received else { continue }
            try transaction.ledger.append(
                .held, reason: .notShown, detail: "announced by account " + inboxes.name(of: account),
                at: now,
                to: message.id, in: message.conversation, account: sibling, isPendingAfterwards: false)
        }
    }

    /// Returns whether another account of the inbox has the message. If so, the log already contains the
    /// message.
    private func isStoredInSiblingAccount(_ message: Message) throws -> Bool {
        try inboxes.siblings(of: account).contains {
            try transaction.messages.wasEverStored(message.id, in: message.conversation, account: $0)
        }
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
