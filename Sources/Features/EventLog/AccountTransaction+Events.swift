package import Config
package import CutieAPI
import FeedPolicy
@_spi(EventLog) import Store

extension Ingest {
    /// The result of applying a batch of events.
    package struct EventBatchResult {
        /// Whether the server's last total matches the local sum.
        package var matchesServerTotal: Bool
        /// The conversations for which an event may be older than the stored state, so that they must be
        /// fetched again.
        package var needsRefetch: [Conversation.ID]
        /// The conversations that were created from a message event, without the facts about their users.
        package var lackingUserFacts: [Conversation.ID]
    }

    /// Applies events in the server's order, except events that were applied before, and stores the cursor.
    @discardableResult
    package func apply(_ events: [Event], to account: AccountID, receivedOver transport: TransportKind) throws
        -> EventBatchResult
    {
        try performChange(on: account) { change in
            var serverTotal: Int?
            for event in events where try change.isNew(event) {
                let isCurrent = try change.runAndStoreID(of: event) {
                    try change.apply(event, receivedOver: transport)
                }
                // If the event contains no total, the totals of earlier events are outdated.
                if event.payload.changesUnreadTotal {
                    serverTotal = isCurrent ? event.payload.totalUnread : nil
                }
            }
            change.progress = .init(cursor: events.last?.id, at: change.now)
            return EventBatchResult(
                matchesServerTotal: try change.matchesServerUnreadTotal(serverTotal),
                needsRefetch: change.needsRefetch, lackingUserFacts: change.lackingUserFacts)
        }
    }
}

extension AccountTransaction {
    /// Returns whether the server's total equals the local sum, or differs because of a pending mark-read.
    func matchesServerUnreadTotal(_ unreadTotal: Int?) throws -> Bool {
        guard perspective.isCountedByServer, let unreadTotal, unreadTotal != badge.unread else { return true }
        return try transaction.outbox.countReadMarks(of: account) > 0
    }

    /// Returns whether the event was not applied before, which makes processing idempotent. An event with a
    /// known ID is new if its message is unknown, because a server that was reset may reuse event IDs.
    fileprivate func isNew(_ event: Event) throws -> Bool {
        try insertPreparedMessage()
        unknownMessage = nil
        if case .messageCreated(let news) = event.payload {
            let (messages, id, thread) = (transaction.messages, news.message.id, news.conversationID)
            guard try messages.wasEverStored(id, in: thread, account: account) else {
                unknownMessage = id
                return true
            }
            if try messages.isMessage(id, in: thread, account: account, fromEvent: event.id) {
                return false
            }
        }
        return try !transaction.events.contains(event.id, account: account)
    }

    /// Runs `body` and stores the event's ID: with the message that `body` adds, or in the table of events.
    fileprivate func runAndStoreID<Value>(of event: Event, _ body: () throws -> Value) throws -> Value {
        self.event = event.id
        let result = try body()
        if let id = self.event { try transaction.events.insert(id, account: account, at: now) }
        self.event = nil
        return result
    }

    /// Applies an event.
    ///
    /// - Returns: `false` if the content of the event may be older than the stored state.
    @discardableResult
    func apply(_ event: Event, receivedOver transport: TransportKind) throws -> Bool {
        guard perspective.isCountedByServer || !event.payload.concernsUser else { return !mayOverlap }
        switch event.payload {
        case .messageCreated(let news): return try apply(news, at: event.createdAt, receivedOver: transport)
        case .conversationUpdated(let conversation): try apply(conversation)
        case .conversationRead(let read): try apply(read)
        case .badge: try log(.badge)
        case .deviceLinked(let change):
            try recordInboxID(change.groupID)
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

    private func apply(_ read: Event.ConversationRead) throws {
        guard let before = try transaction.conversations.find(read.conversationID, account: account)
        else { return }
        guard !mayOverlap || max(0, read.unreadCount) == before.unread else {
            return requestRefetch(of: read.conversationID)
        }
        var record = before
        try markRead(&record, exceptNewest: read.unreadCount)
        // Do not log the event with which the server echoes a local mark-read.
        guard record != before else { return }
        try save(record, previous: before)
        try log(.conversationRead, for: record)
    }

    private func apply(_ conversation: Conversation) throws {
        let before = try transaction.conversations.find(conversation.id, account: account)
        var record = before ?? ConversationRecord(account: account, conversation: conversation)
        merge(conversation, into: &record)
        let serverTotal = perspective.isCountedByServer ? conversation.unreadCount : nil
        let allowed = try serverTotal.map { try computeUnreadCount(serverCount: $0, of: record) }
        if mayOverlap, let before {
            let isKnown = (allowed ?? before.unread) == before.unread
            if !isKnown || !record.conversation.hasSameContent(as: before.conversation) {
                requestRefetch(of: conversation.id)
            }
            return
        }
        if let allowed {
            if allowed < record.unread { try markRead(&record, exceptNewest: allowed) }
            record.unread = allowed
        }
        try updatePendingReplies(of: &record)
        try save(record, previous: before)
        try log(.conversationUpdated, for: record)
    }

    /// Applies a conversation from the server's response to a request that this daemon sent.
    package func applyResponse(_ conversation: Conversation) throws {
        let before = try transaction.conversations.find(conversation.id, account: account)
        var record = before ?? ConversationRecord(account: account, conversation: conversation)
        merge(conversation, into: &record)
        try updatePendingReplies(of: &record)
        guard record != before else { return }
        try save(record, previous: before)
        try log(.conversationUpdated, for: record)
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
