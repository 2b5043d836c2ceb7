import Config
package import CutieAPI
import FeedPolicy
import Store

extension AccountTransaction {
    /// Applies an event.
    ///
    /// - Returns: `false` if the content of the event may be older than the stored state.
    @discardableResult
    func apply(_ event: Event, by transport: TransportKind) throws -> Bool {
        guard perspective.isCountedByServer || !event.payload.concernsUser else { return !mayOverlap }
        switch event.payload {
        case .messageCreated(let news): return try apply(news, at: event.createdAt, by: transport)
        case .conversationUpdated(let conversation): try apply(conversation)
        case .conversationRead(let read): try apply(read)
        case .badge: try log(.badge)
        case .deviceLinked(let change):
            try recordInbox(change.groupID)
            try log(.deviceLinked)
        case .deviceUnlinked(let change):
            try log(.deviceUnlinked)
            if try transaction.accounts.find(account)?.deviceID == change.deviceID {
                try deleteHistoryAfterRemovalFromInbox()
            }
        // The feed handles a reset. An unknown event only advances the cursor.
        case .reset, .unknown: break
        }
        return !mayOverlap
    }

    private func apply(
        _ news: Event.MessageCreated, at time: Timestamp, by transport: TransportKind
    ) throws -> Bool {
        guard !perspective.hides(news.message) else { return !mayOverlap }
        let before = try transaction.conversations.find(news.conversationID, account: account)
        var record =
            before
            ?? ConversationRecord(account: account, conversation: Conversation(id: news.conversationID))
        let counts = perspective.isReply(news.message)
        // A message that is not stored yet is new even if a poll has just fetched the conversation, because
        // the message was sent after the poll. Do not compare dates, because a server's clock may be
        // adjusted.
        let row = try prepareMessage(news.message, of: &record, isPending: counts, by: transport)
        let isNew = row != nil
        let isCurrent = isNew || !mayOverlap
        if isCurrent || before == nil { record.conversation.merge(news.conversation) }
        if isNew, counts { addToBadge(news.message, in: &record) }
        if isNew { try markReadIfAnswered(by: news.message, in: &record) }
        let counted = record.unread + (isNew && counts ? 1 : 0)
        // Ignore counts that may be older than the last poll, because they would undo a read mark.
        if isCurrent {
            let serverTotal = perspective.isCountedByServer ? news.unreadCount : nil
            record.unread = try computeUnread(reportedByServer: serverTotal ?? counted, of: record)
            if record.unread < counted { hasRead = true }
        }
        if isNew || before == nil, time > .epoch { record.conversation.updatedAt = time }
        try save(record, previous: before)
        if let row { try logMessage(inRow: row, record: record) }
        // The account of an app's user needs no facts about that user.
        if before == nil, perspective != .user { lackingUserFacts.append(record.conversation.id) }
        return isCurrent
    }

    private func apply(_ read: Event.ConversationRead) throws {
        guard let before = try transaction.conversations.find(read.conversationID, account: account)
        else { return }
        guard !mayOverlap || max(0, read.unreadCount) == before.unread else {
            return requestRefetch(of: read.conversationID)
        }
        var record = before
        try markRead(&record, leaving: read.unreadCount)
        // Do not log the event with which the server echoes a local mark-read.
        guard record != before else { return }
        try save(record, previous: before)
        try log(.conversationRead, record)
    }

    private func apply(_ conversation: Conversation) throws {
        let before = try transaction.conversations.find(conversation.id, account: account)
        var record = before ?? ConversationRecord(account: account, conversation: conversation)
        merge(conversation, into: &record)
        let serverTotal = perspective.isCountedByServer ? conversation.unreadCount : nil
        let allowed = try serverTotal.map { try computeUnread(reportedByServer: $0, of: record) }
        if mayOverlap, let before {
            let isKnown = (allowed ?? before.unread) == before.unread
            if !isKnown || !record.conversation.hasSameContent(before.conversation) {
                requestRefetch(of: conversation.id)
            }
            return
        }
        if let allowed {
            if allowed < record.unread { try markRead(&record, leaving: allowed) }
            record.unread = allowed
        }
        try updatePendingReplies(of: &record)
        try save(record, previous: before)
        try log(.conversationUpdated, record)
    }

    /// Applies a conversation from the server's response to a request that this daemon sent.
    package func applyResponse(_ conversation: Conversation) throws {
        let before = try transaction.conversations.find(conversation.id, account: account)
        var record = before ?? ConversationRecord(account: account, conversation: conversation)
        merge(conversation, into: &record)
        try updatePendingReplies(of: &record)
        guard record != before else { return }
        try save(record, previous: before)
        try log(.conversationUpdated, record)
    }
}

extension Event.Payload {
    /// Whether the server no longer knows the cursor.
    package var isReset: Bool { if case .reset = self { true } else { false } }

    /// Whether the event changes the shared inbox, so that conversations may appear or disappear without
    /// further events.
    package var changesLinkedDevices: Bool {
        switch self {
        case .deviceLinked, .deviceUnlinked: true
        case .messageCreated, .conversationUpdated, .conversationRead, .badge, .reset, .unknown: false
        }
    }

    /// The conversation that the event is about; `nil` for an event without a conversation.
    package var conversation: Conversation.ID? {
        switch self {
        case .messageCreated(let news): news.conversationID
        case .conversationUpdated(let conversation): conversation.id
        case .conversationRead(let read): read.conversationID
        case .badge, .deviceLinked, .deviceUnlinked, .reset, .unknown: nil
        }
    }

    /// Whether the event concerns only the user's own devices, so that staff accounts ignore it.
    var concernsUser: Bool {
        switch self {
        case .conversationRead, .badge, .deviceLinked, .deviceUnlinked: true
        case .messageCreated, .conversationUpdated, .reset, .unknown: false
        }
    }

    /// Whether the event may change the total number of unread replies.
    var changesUnreadTotal: Bool {
        switch self {
        case .messageCreated, .conversationRead, .badge: true
        case .conversationUpdated(let conversation): conversation.unreadCount != nil
        case .deviceLinked, .deviceUnlinked, .reset, .unknown: false
        }
    }

    /// The server's total of unread replies, which is only compared with the local sum of the conversations;
    /// `nil` if the event contains no total.
    var totalUnread: Int? {
        switch self {
        case .messageCreated(let news): news.totalUnread
        case .conversationRead(let read): read.totalUnread
        case .badge(let total): total
        case .conversationUpdated, .deviceLinked, .deviceUnlinked, .reset, .unknown: nil
        }
    }
}
