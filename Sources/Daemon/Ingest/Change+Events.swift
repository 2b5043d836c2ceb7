import CutieAPI
import Inbox
import Store

extension Change {
    mutating func apply(_ event: Event, by transport: Rung) throws {
        switch event.payload {
        case .messageCreated(let news): try apply(news, at: event.createdAt, by: transport)
        case .conversationUpdated(let conversation): try apply(conversation, at: event.createdAt)
        case .conversationRead(let read): try apply(read, at: event.createdAt)
        case .badge: try log(event.type)
        case .deviceLinked(let change):
            try joinInbox(change.groupID)
            try log(event.type)
        case .deviceUnlinked(let change):
            try log(event.type)
            if try transaction.account(account)?.deviceID == change.deviceID { try leaveInbox() }
        // The feed acts on a reset; what is unknown here only moves the cursor.
        case .reset, .unknown: break
        }
    }

    /// The counts of an event older than the last poll of its conversation are history: applying them would
    /// undo a read. Among themselves, events come in the server's order, whatever their dates say.
    private func isCurrent(_ record: ConversationRecord, at time: Timestamp) -> Bool {
        time <= .epoch || record.asOf.map { $0 <= time } ?? true
    }

    private mutating func apply(
        _ news: Event.MessageCreated, at time: Timestamp, by transport: Rung
    ) throws {
        guard !perspective.hides(news.message) else { return }
        let before = try transaction.conversation(news.conversationID, account: account)
        var record =
            before
            ?? ConversationRecord(account: account, conversation: Conversation(id: news.conversationID))
        record.conversation.merge(news.conversation)
        let counts = perspective.isNews(news.message)
        let current = isCurrent(record, at: time)
        // New although a poll has fetched the thread: it came after that, even where its date says otherwise.
        let isNew = try take(news.message, of: &record, pending: counts, by: transport)
        if isNew, counts { count(news.message, in: &record) }
        let counted = record.unread + (isNew && counts ? 1 : 0)
        if current || isNew {
            record.unread = try unread(
                saidByServer: current ? news.unreadCount ?? counted : counted, of: record)
            if record.unread < counted { hasRead = true }
        }
        record.conversation.updatedAt = max(record.conversation.updatedAt ?? time, time)
        try save(record, was: before)
        if isNew { try logMessage(news.message, record) }
    }

    private mutating func apply(_ read: Event.ConversationRead, at time: Timestamp) throws {
        guard let before = try transaction.conversation(read.conversationID, account: account),
            isCurrent(before, at: time)
        else { return }
        var record = before
        try markRead(&record, leaving: read.unreadCount)
        // What was read here comes back as an event: it would be told twice.
        guard record != before else { return }
        try save(record, was: before)
        try log(Event.Payload.conversationRead(read).type, record)
    }

    private mutating func apply(_ conversation: Conversation, at time: Timestamp) throws {
        let before = try transaction.conversation(conversation.id, account: account)
        var record = before ?? ConversationRecord(account: account, conversation: conversation)
        guard isCurrent(record, at: time) else { return }
        record.conversation.merge(conversation)
        if let unread = conversation.unreadCount {
            let allowed = try self.unread(saidByServer: unread, of: record)
            if allowed < record.unread { try markRead(&record, leaving: allowed) }
            record.unread = allowed
        }
        try save(record, was: before)
        try log(Event.Payload.conversationUpdated(conversation).type, record)
    }
}

extension Event.Payload {
    /// Another inbox than before: of some of its conversations no event ever told us.
    var changesTheGroup: Bool {
        switch self {
        case .deviceLinked, .deviceUnlinked: true
        default: false
        }
    }

    /// After it the sum of what is unread may be another.
    var changesTheSum: Bool {
        switch self {
        case .messageCreated, .conversationRead, .badge: true
        case .conversationUpdated(let conversation): conversation.unreadCount != nil
        default: false
        }
    }

    /// The server's own sum. What is here is the sum of the conversations; this one is only compared with it.
    var totalUnread: Int? {
        switch self {
        case .messageCreated(let news): news.totalUnread
        case .conversationRead(let read): read.totalUnread
        case .badge(let total): total
        default: nil
        }
    }
}
