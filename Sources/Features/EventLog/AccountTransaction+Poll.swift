package import CutieAPI
import FeedPolicy
@_spi(EventLog) import Store

extension AccountTransaction {
    /// Applies a conversation that a poll fetched, with its counts and all messages that are not stored yet.
    ///
    /// - Parameters:
    ///   - isFirstSync: whether this is the first sync, which stores read messages without logging them.
    ///   - isOutdated: whether the stored conversation changed after the request, so that the response may
    ///   be outdated. In this case, only new messages are added.
    func applyFetched(
        _ fetched: Conversation, listed: Conversation, isFirstSync: Bool, isOutdated: Bool = false
    ) throws {
        let before = try transaction.conversations.find(fetched.id, account: account)
        var record = before ?? ConversationRecord(account: account, conversation: fetched)
        // The conversation was only listed before, so its counts refer to the messages that are added now.
        if record.newestSequence == 0 { (record.unread, record.sinceClear) = (0, 0) }
        let messages = try inOrder((fetched.messages ?? []).filter { !perspective.hides($0) }, of: fetched.id)
        let isOutdated = isOutdated && !isFirstSync
        let serverTotal = perspective.isCountedByServer ? fetched.unreadCount ?? listed.unreadCount : nil
        let unreadCount = isOutdated ? nil : serverTotal
        let waiting = perspective.waiting(in: messages)
        let unread = try unreadReplies(
            waiting, count: unreadCount, of: record, isFirstSync: isFirstSync, hasEnded: fetched.ending != nil
        )
        if !isOutdated { merge(fetched, into: &record) }
        var arrived: [Int64] = []
        var newReplies = 0
        for message in messages {
            let isUnread = unread.contains(message.id)
            let holdReason = isFirstSync ? Self.firstSync : nil
            guard
                let row = try add(message, of: &record, pending: isUnread, holdReason: holdReason, by: .poll)
            else { continue }
            if perspective.isReply(message) { newReplies += 1 }
            if isUnread { count(message, in: &record) }
            if isUnread || !isFirstSync { arrived.append(row) }
        }
        let isWhole = !isOutdated && !perspective.isCountedByServer && fetched.messages != nil
        let kept = isWhole ? min(record.unread, waiting.count - unread.count) : record.unread
        let now = unreadCount == nil ? kept + unread.count : unread.count
        // Replies that were unread and are no longer among the newest unread ones were read on another
        // device.
        try markRead(&record, leaving: now, of: record.unread + newReplies, reason: readReason(messages))
        if !isOutdated {
            record.asOf = fetched.updatedAt ?? listed.updatedAt ?? record.asOf
            record.polled = mark(of: listed)
            try updatePendingReplies(of: &record)
        }
        try save(record, was: before)
        try logPoll(arrived, record, before: before, first: isFirstSync)
    }

    /// Adds a conversation with its unread count from a list, if it is not stored and could not be fetched.
    func applyListed(_ listed: Conversation, isFirstSync: Bool) throws {
        guard try transaction.conversations.find(listed.id, account: account) == nil else { return }
        var conversation = Conversation(id: listed.id)
        conversation.merge(listed)
        let unread = perspective.isCountedByServer ? max(0, listed.unreadCount ?? 0) : 0
        let record = ConversationRecord(
            account: account, conversation: conversation, unread: unread, sinceClear: unread)
        try save(record, was: nil)
        if !isFirstSync { try log(.conversationUpdated, record) }
    }

    /// Returns messages in the order of receipt: stored messages first, then new ones in the order of the
    /// list. Dates are not used, because a message written while the server's clock was ahead would stay the
    /// newest for a long time.
    private func inOrder(_ messages: [Message], of conversation: Conversation.ID) throws -> [Message] {
        let dates = messages.map(\.createdAt)
        let isNewestFirst = zip(dates, dates.dropFirst()).allSatisfy { $0 >= $1 } && dates.first != dates.last
        let places = try messages.map {
            try transaction.messages.place(of: $0.id, in: conversation, account: account) ?? .max
        }
        let listed = Array(zip(places, messages))
        let oldestFirst = isNewestFirst ? listed.reversed() : listed
        return oldestFirst.enumerated()
            .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
            .map(\.element.1)
    }

    /// Returns the unread replies: the newest `count`, or, if the server sent no count, those that are not
    /// stored yet. A first sync of a staff account, which has no server counts, returns the replies that wait
    /// for an answer, unless the conversation has ended.
    private func unreadReplies(
        _ replies: [Message], count: Int?, of record: ConversationRecord, isFirstSync: Bool, hasEnded: Bool
    ) throws -> Set<Message.ID> {
        if let count {
            let left = try unread(reportedByServer: count, of: record, among: replies)
            return Set(replies.suffix(left).map(\.id))
        }
        if isFirstSync {
            return perspective.isCountedByServer || hasEnded ? [] : Set(replies.map(\.id))
        }
        let id = record.conversation.id
        return Set(
            try replies.map(\.id).filter { try !transaction.messages.hasSeen($0, in: id, account: account) })
    }

    private func logPoll(
        _ arrived: [Int64], _ record: ConversationRecord, before: ConversationRecord?, first: Bool
    ) throws {
        for row in arrived { try logMessage(inRow: row, record) }
        guard let before, !first else { return }
        if record.unread < before.unread { try log(.conversationRead, record) }
        if !record.conversation.looksLike(before.conversation) { try log(.conversationUpdated, record) }
    }

    private func unread(
        reportedByServer count: Int, of record: ConversationRecord, among replies: [Message]
    ) throws -> Int {
        guard let bound = try transaction.outbox.readBound(in: record.conversation.id, account: account),
            let index = replies.firstIndex(where: { $0.id == bound })
        else { return max(0, count) }
        return min(max(0, count), replies.count - index - 1)
    }
}

extension Conversation {
    /// Returns whether both states look the same to the user. Values that change with every message are
    /// ignored.
    func looksLike(_ other: Conversation) -> Bool {
        title == other.title && status == other.status && category == other.category
            && priority == other.priority && tags == other.tags
            && assignedAdminID == other.assignedAdminID
    }
}

/// A conversation to fetch.
package struct FetchRequest {
    package let id: Conversation.ID
    /// The conversation as listed; `nil` if a previous run listed it.
    package let listed: Conversation?
    /// Whether the conversation is part of a first sync, in which read messages are not news.
    package let isFirst: Bool

    package init(_ listed: Conversation, isFirst: Bool) {
        (id, self.listed, self.isFirst) = (listed.id, listed, isFirst)
    }

    package init(_ id: Conversation.ID, listed: Conversation?, isFirst: Bool) {
        (self.id, self.listed, self.isFirst) = (id, listed, isFirst)
    }
}
