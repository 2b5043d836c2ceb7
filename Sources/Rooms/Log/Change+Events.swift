package import CutieAPI
import Inbox
import Store

extension Change {
    /// True where what the event tells is certainly not older than what is here.
    @discardableResult
    func apply(_ event: Event, by transport: Rung) throws -> Bool {
        guard perspective.isCountedByServer || !event.payload.isAboutTheUser else { return !mayOverlap }
        switch event.payload {
        case .messageCreated(let news): return try apply(news, at: event.createdAt, by: transport)
        case .conversationUpdated(let conversation): try apply(conversation)
        case .conversationRead(let read): try apply(read)
        case .badge: try log(.badge)
        case .deviceLinked(let change):
            try joinInbox(change.groupID)
            try log(.deviceLinked)
        case .deviceUnlinked(let change):
            try log(.deviceUnlinked)
            if try transaction.accounts.find(account)?.deviceID == change.deviceID { try leaveInbox() }
        // The feed acts on a reset; what is unknown here only moves the cursor.
        case .reset, .unknown: break
        }
        return !mayOverlap
    }

    private func apply(
        _ news: Event.MessageCreated, at time: Timestamp, by transport: Rung
    ) throws -> Bool {
        guard !perspective.hides(news.message) else { return !mayOverlap }
        let before = try transaction.conversations.find(news.conversationID, account: account)
        var record =
            before
            ?? ConversationRecord(account: account, conversation: Conversation(id: news.conversationID))
        let counts = perspective.isReply(news.message)
        // New although a look has fetched the thread: it came after that, whatever its date says.
        let isNew = try add(news.message, of: &record, pending: counts, by: transport)
        let isCurrent = isNew || !mayOverlap
        if isCurrent || before == nil { record.conversation.merge(news.conversation) }
        if isNew, counts { count(news.message, in: &record) }
        if isNew { try noteAnswer(news.message, in: &record) }
        let counted = record.unread + (isNew && counts ? 1 : 0)
        // Counts from before a look are history: applying them would undo a read.
        if isCurrent {
            let told = perspective.isCountedByServer ? news.unreadCount : nil
            record.unread = try unread(saidByServer: told ?? counted, of: record)
            if record.unread < counted { hasRead = true }
        }
        if isNew || before == nil, time > .epoch { record.conversation.updatedAt = time }
        try save(record, was: before)
        if isNew { try logMessage(news.message, record) }
        return isCurrent
    }

    private func apply(_ read: Event.ConversationRead) throws {
        guard let before = try transaction.conversations.find(read.conversationID, account: account)
        else { return }
        guard !mayOverlap || max(0, read.unreadCount) == before.unread else {
            return doubt(read.conversationID)
        }
        var record = before
        try markRead(&record, leaving: read.unreadCount)
        // What was read here comes back as an event: it would be told twice.
        guard record != before else { return }
        try save(record, was: before)
        try log(.conversationRead, record)
    }

    private func apply(_ conversation: Conversation) throws {
        let before = try transaction.conversations.find(conversation.id, account: account)
        var record = before ?? ConversationRecord(account: account, conversation: conversation)
        merge(conversation, into: &record)
        let told = perspective.isCountedByServer ? conversation.unreadCount : nil
        let allowed = try told.map { try unread(saidByServer: $0, of: record) }
        if mayOverlap, let before {
            let isKnown = (allowed ?? before.unread) == before.unread
            if !isKnown || !record.conversation.looksLike(before.conversation) { doubt(conversation.id) }
            return
        }
        if let allowed {
            if allowed < record.unread { try markRead(&record, leaving: allowed) }
            record.unread = allowed
        }
        try settle(&record)
        try save(record, was: before)
        try log(.conversationUpdated, record)
    }

    /// A conversation as the server answers after a call of ours changed it.
    package func applyChanged(_ conversation: Conversation) throws {
        let before = try transaction.conversations.find(conversation.id, account: account)
        var record = before ?? ConversationRecord(account: account, conversation: conversation)
        merge(conversation, into: &record)
        try settle(&record)
        guard record != before else { return }
        try save(record, was: before)
        try log(.conversationUpdated, record)
    }
}

extension Event.Payload {
    /// Another inbox than before: of some of its conversations no event ever told us.
    package var changesTheGroup: Bool {
        switch self {
        case .deviceLinked, .deviceUnlinked: true
        default: false
        }
    }

    /// What a user does with their devices is nothing to who answers.
    var isAboutTheUser: Bool {
        switch self {
        case .conversationRead, .badge, .deviceLinked, .deviceUnlinked: true
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
