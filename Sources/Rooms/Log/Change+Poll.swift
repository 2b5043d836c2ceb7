package import CutieAPI
import Inbox
@_spi(Log) import Store

extension Change {
    /// Takes a conversation as a poll fetched it: every message that is not here yet, and the counts.
    /// `first`: the first sync, in which what was read is taken silently. `isOvertaken`: it changed here after
    /// the server was asked, so the answer may be the older one: only what is not here yet is taken from it.
    func apply(
        fetched: Conversation, listed: Conversation, first: Bool, isOvertaken: Bool = false
    ) throws {
        let before = try transaction.conversations.find(fetched.id, account: account)
        var record = before ?? ConversationRecord(account: account, conversation: fetched)
        // Only listed so far: what the list counted are the messages that come now.
        if record.newestSequence == 0 { (record.unread, record.sinceClear) = (0, 0) }
        let messages = try inOrder((fetched.messages ?? []).filter { !perspective.hides($0) }, of: fetched.id)
        let isOvertaken = isOvertaken && !first
        let told = perspective.isCountedByServer ? fetched.unreadCount ?? listed.unreadCount : nil
        let unreadCount = isOvertaken ? nil : told
        let waiting = perspective.waiting(in: messages)
        let unread = try unreadReplies(
            waiting, count: unreadCount, of: record, first: first, hasEnded: fetched.ending != nil)
        if !isOvertaken { merge(fetched, into: &record) }
        var arrived: [Message] = []
        var newReplies = 0
        for message in messages {
            let isUnread = unread.contains(message.id)
            let why = first ? Self.firstSync : nil
            guard try add(message, of: &record, pending: isUnread, heldFor: why, by: .poll) else { continue }
            if perspective.isReply(message) { newReplies += 1 }
            if isUnread { count(message, in: &record) }
            if isUnread || !first { arrived.append(message) }
        }
        let isWhole = !isOvertaken && !perspective.isCountedByServer && fetched.messages != nil
        let kept = isWhole ? min(record.unread, waiting.count - unread.count) : record.unread
        let now = unreadCount == nil ? kept + unread.count : unread.count
        // What was unread before and is not among the newest unread ones now has been read elsewhere.
        try markRead(&record, leaving: now, of: record.unread + newReplies, how: how(messages))
        if !isOvertaken {
            record.asOf = fetched.updatedAt ?? listed.updatedAt ?? record.asOf
            record.polled = mark(of: listed)
            try settle(&record)
        }
        try save(record, was: before)
        try logPoll(arrived, record, before: before, first: first)
    }

    /// Takes what a list tells of a conversation that is not here and could not be fetched: that it is there,
    /// and how much of it is unread.
    func apply(onlyListed listed: Conversation, first: Bool) throws {
        guard try transaction.conversations.find(listed.id, account: account) == nil else { return }
        var conversation = Conversation(id: listed.id)
        conversation.merge(listed)
        let unread = perspective.isCountedByServer ? max(0, listed.unreadCount ?? 0) : 0
        let record = ConversationRecord(
            account: account, conversation: conversation, unread: unread, sinceClear: unread)
        try save(record, was: nil)
        if !first { try log(.conversationUpdated, record) }
    }

    /// In the order in which they came: what is here already before what is new, and that as it is listed. Dates
    /// do not tell: what a server wrote while its clock was ahead would be the newest for long.
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

    /// The newest `count` replies are the unread ones. A server that does not count: those not seen yet. Where no
    /// server counts, a first sync finds what waits for an answer, but where the conversation has ended.
    private func unreadReplies(
        _ replies: [Message], count: Int?, of record: ConversationRecord, first: Bool, hasEnded: Bool
    ) throws -> Set<Message.ID> {
        if let count {
            let left = try unread(saidByServer: count, of: record, among: replies)
            return Set(replies.suffix(left).map(\.id))
        }
        if first {
            return perspective.isCountedByServer || hasEnded ? [] : Set(replies.map(\.id))
        }
        let id = record.conversation.id
        return Set(
            try replies.map(\.id).filter { try !transaction.messages.hasSeen($0, in: id, account: account) })
    }

    private func logPoll(
        _ arrived: [Message], _ record: ConversationRecord, before: ConversationRecord?, first: Bool
    ) throws {
        for message in arrived { try logMessage(message, record) }
        guard let before, !first else { return }
        if record.unread < before.unread { try log(.conversationRead, record) }
        if !record.conversation.looksLike(before.conversation) { try log(.conversationUpdated, record) }
    }

    private func unread(
        saidByServer count: Int, of record: ConversationRecord, among replies: [Message]
    ) throws -> Int {
        guard let bound = try transaction.outbox.readBound(in: record.conversation.id, account: account),
            let index = replies.firstIndex(where: { $0.id == bound })
        else { return max(0, count) }
        return min(max(0, count), replies.count - index - 1)
    }
}

extension Conversation {
    /// The same to a person: what changes with every message does not count.
    func looksLike(_ other: Conversation) -> Bool {
        title == other.title && status == other.status && category == other.category
            && priority == other.priority && tags == other.tags
            && assignedAdminID == other.assignedAdminID
    }
}

/// A conversation to fetch.
package struct Wanted {
    package let id: Conversation.ID
    /// As a list showed it; nil: an earlier run did.
    package let listed: Conversation?
    /// What was read in it is no news.
    package let isFirst: Bool

    package init(_ listed: Conversation, isFirst: Bool) {
        (id, self.listed, self.isFirst) = (listed.id, listed, isFirst)
    }

    package init(_ id: Conversation.ID, listed: Conversation?, isFirst: Bool) {
        (self.id, self.listed, self.isFirst) = (id, listed, isFirst)
    }
}
