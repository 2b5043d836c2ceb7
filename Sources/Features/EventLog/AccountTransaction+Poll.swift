import Config
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
    ///   - remainingMessages: the messages that `addSlice` left; `nil` if `addSlice` was not called.
    func applyFetched(
        _ conversation: Conversation, listedVersion: Conversation, isFirstSync: Bool,
        isOutdated: Bool = false,
        remainingMessages: FetchedMessages? = nil
    ) throws {
        let before = try transaction.conversations.find(conversation.id, account: account)
        var record = before ?? ConversationRecord(account: account, conversation: conversation)
        // The conversation was only listed before, not fetched. Reset its counts, because they refer to the
        // messages that are added now.
        if record.newestSequence == 0 { (record.unread, record.sinceClear) = (0, 0) }
        let messages = try remainingMessages ?? makeFetchedMessages(of: conversation)
        let isOutdated = isOutdated && !isFirstSync
        let serverTotal =
            perspective.isCountedByServer ? conversation.unreadCount ?? listedVersion.unreadCount : nil
        let unreadCount = isOutdated ? nil : serverTotal
        let unread = try findUnreadReplies(
            among: messages, unreadCount: unreadCount, in: record, isFirstSync: isFirstSync,
            conversationHasEnded: conversation.ending != nil)
        if !isOutdated { merge(conversation, into: &record) }
        let added = try add(messages.new, unreadIDs: unread, to: &record, isFirstSync: isFirstSync)
        let isWhole = !isOutdated && !perspective.isCountedByServer && conversation.messages != nil
        let kept = isWhole ? min(record.unread, messages.waiting.count - unread.count) : record.unread
        let now = unreadCount == nil ? kept + unread.count : unread.count
        // The newest `now` replies are still unread. Older replies were read on another device.
        try markRead(
            &record, exceptNewest: now, amongNewest: record.unread + messages.readReplies + added.replies,
            reason: makeLedgerReasonForRead(afterAnswer: messages.answer))
        if !isOutdated {
            record.serverTime = conversation.updatedAt ?? listedVersion.updatedAt ?? record.serverTime
            record.lastPoll = makePollSnapshot(of: listedVersion)
            try updatePendingReplies(of: &record)
        }
        try save(record, previous: before)
        try logPoll(arrivedRows: added.rows, record: record, previous: before, isFirstSync: isFirstSync)
    }

    /// Adds the next slice of the new messages of a fetched conversation, with their counts. `applyFetched`
    /// must follow when no slice is left. Until then, the conversation counts as changed, so that the next
    /// poll fetches it again after a crash.
    ///
    /// - Returns: `false` if no slice is left.
    func addSlice(
        of messages: inout FetchedMessages, conversation: Conversation, listedVersion: Conversation,
        isFirstSync: Bool
    ) throws -> Bool {
        let before = try transaction.conversations.find(conversation.id, account: account)
        var record = before ?? ConversationRecord(account: account, conversation: conversation)
        if record.newestSequence == 0 { (record.unread, record.sinceClear) = (0, 0) }
        let unreadCount =
            perspective.isCountedByServer ? conversation.unreadCount ?? listedVersion.unreadCount : nil
        let unread = try findUnreadReplies(
            among: messages, unreadCount: unreadCount, in: record, isFirstSync: isFirstSync,
            conversationHasEnded: conversation.ending != nil)
        guard let slice = messages.removeNextSlice() else { return false }
        let added = try add(slice, unreadIDs: unread, to: &record, isFirstSync: isFirstSync)
        record.unread += added.unread
        messages.readReplies += added.replies - added.unread
        try save(record, previous: before)
        for row in added.rows { try logMessage(inRow: row, record: record) }
        return true
    }

    func makeFetchedMessages(of conversation: Conversation) throws -> FetchedMessages {
        try FetchedMessages(of: conversation, account: account, seenBy: perspective, in: transaction)
    }

    /// Stores messages that a poll fetched.
    ///
    /// - Returns: the rows to log, the number of stored replies, and how many of these replies are unread.
    private func add(
        _ messages: ArraySlice<Message>, unreadIDs: Set<Message.ID>, to record: inout ConversationRecord,
        isFirstSync: Bool
    ) throws -> (rows: [Int64], replies: Int, unread: Int) {
        var added = (rows: [Int64](), replies: 0, unread: 0)
        for message in messages {
            let isUnread = unreadIDs.contains(message.id)
            let holdReason = isFirstSync ? Self.firstSync : nil
            guard
                let row = try add(
                    message, to: &record, isPending: isUnread, holdReason: holdReason, receivedOver: .poll)
            else { continue }
            if perspective.isReply(message) { added.replies += 1 }
            if isUnread {
                addToBadge(message, in: &record)
                added.unread += 1
            }
            if isUnread || !isFirstSync { added.rows.append(row) }
        }
        return added
    }

    /// Adds a conversation with its unread count from a list, if it is not stored and could not be fetched.
    func addListedConversation(_ listedConversation: Conversation, isFirstSync: Bool) throws {
        guard try transaction.conversations.find(listedConversation.id, account: account) == nil else {
            return
        }
        var conversation = Conversation(id: listedConversation.id)
        conversation.merge(listedConversation)
        let unread = perspective.isCountedByServer ? max(0, listedConversation.unreadCount ?? 0) : 0
        let record = ConversationRecord(
            account: account, conversation: conversation, unread: unread, sinceClear: unread)
        try save(record, previous: nil)
        if !isFirstSync { try log(.conversationUpdated, for: record) }
    }

    /// Returns the unread replies: if the server sent an unread count, the newest `unreadCount` replies;
    /// otherwise the unanswered replies that are not stored yet. A first sync without a count returns all
    /// unanswered replies for a staff account, unless the conversation has ended, and no replies for the
    /// account of a user.
    private func findUnreadReplies(
        among messages: FetchedMessages, unreadCount: Int?, in record: ConversationRecord, isFirstSync: Bool,
        conversationHasEnded: Bool
    ) throws -> Set<Message.ID> {
        let replies = messages.waiting
        if let unreadCount {
            return Set(
                replies.suffix(try computeUnreadCount(serverCount: unreadCount, of: record, among: replies)))
        }
        if isFirstSync { return perspective.isCountedByServer || conversationHasEnded ? [] : Set(replies) }
        return Set(replies).intersection(messages.new.map(\.id))
    }

    private func logPoll(
        arrivedRows: [Int64], record: ConversationRecord, previous: ConversationRecord?, isFirstSync: Bool
    ) throws {
        for row in arrivedRows { try logMessage(inRow: row, record: record) }
        guard let previous, !isFirstSync else { return }
        if record.unread < previous.unread { try log(.conversationRead, for: record) }
        let (conversation, former) = (record.conversation, previous.conversation)
        if !conversation.hasSameContent(as: former) || !conversation.hasSameUserFacts(as: former) {
            try log(.conversationUpdated, for: record)
        }
    }

    private func computeUnreadCount(
        serverCount count: Int, of record: ConversationRecord, among replies: [Message.ID]
    ) throws -> Int {
        guard
            let bound = try transaction.outbox.fetchNewestReadMessageID(
                in: record.conversation.id, account: account),
            let index = replies.firstIndex(of: bound)
        else { return max(0, count) }
        return min(max(0, count), replies.count - index - 1)
    }
}

extension Conversation {
    /// Returns whether both states look the same to the user. Values that change with every message are
    /// ignored.
    func hasSameContent(as other: Conversation) -> Bool {
        title == other.title && status == other.status && category == other.category
            && priority == other.priority && tags == other.tags
            && assignedAdminID == other.assignedAdminID
    }

    /// Returns whether both states contain the same facts about the app's user.
    fileprivate func hasSameUserFacts(as other: Conversation) -> Bool {
        userName == other.userName && userID == other.userID && customerID == other.customerID
            && deviceID == other.deviceID && appName == other.appName
    }

    /// Whether the creation time or all facts about the app's user are missing, as in a conversation that was
    /// created from a message event.
    package var lacksUserFacts: Bool {
        createdAt == nil || userName == nil && userID == nil && customerID == nil && deviceID == nil
    }
}

/// A conversation to fetch.
package struct FetchRequest {
    package let id: Conversation.ID
    /// The conversation as listed; `nil` if a previous run listed it.
    package let listed: Conversation?
    /// Whether the conversation is part of a first sync, which stores read messages without logging them.
    package let isFirst: Bool

    package init(_ listed: Conversation, isFirst: Bool) {
        (id, self.listed, self.isFirst) = (listed.id, listed, isFirst)
    }

    package init(_ id: Conversation.ID, listed: Conversation?, isFirst: Bool) {
        (self.id, self.listed, self.isFirst) = (id, listed, isFirst)
    }
}
