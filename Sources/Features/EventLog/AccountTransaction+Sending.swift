import Config
package import CutieAPI
import FeedPolicy
@_spi(EventLog) package import Store

extension AccountTransaction {
    /// Returns whether an earlier request from this daemon created the message. The user may send the same
    /// text twice, so the text does not identify a message.
    package static func wasCreatedByRequest(
        _ message: Message.ID, in conversation: Conversation.ID, account: AccountID,
        transaction: Transaction
    ) throws -> Bool {
        try transaction.ledger.fetchSteps(of: message, in: conversation, account: account).contains {
            $0.reason == .answered
        }
    }

    /// Stores the user's message from the server's response to a call. When the event for this message
    /// arrives, the message is already stored.
    package func addOwnMessage(_ message: Message, in conversation: Conversation.ID) throws {
        let before = try transaction.conversations.find(conversation, account: account)
        var record =
            before ?? ConversationRecord(account: account, conversation: Conversation(id: conversation))
        let row = try add(message, to: &record, isPending: false, receivedOver: .poll)
        try transaction.ledger.append(
            .stored, reason: .answered, at: now, to: message.id,
            in: conversation, account: account)
        guard let row else { return }
        try markReadIfAnswered(by: message, in: &record)
        record.conversation.updatedAt = message.createdAt
        try save(record, previous: before)
        try logMessage(inRow: row, record: record)
    }

    /// Stores a fetched conversation that the user created, with its first message. Ignores replies and
    /// counts, because an event with newer data may have arrived before this response.
    package func addCreatedConversation(_ fetchedConversation: Conversation) throws {
        if try transaction.conversations.find(fetchedConversation.id, account: account) == nil {
            var conversation = Conversation(id: fetchedConversation.id)
            conversation.merge(fetchedConversation)
            conversation.unreadCount = nil
            try save(ConversationRecord(account: account, conversation: conversation), previous: nil)
        }
        guard let first = fetchedConversation.firstMessage, perspective.isOwnMessage(first) else { return }
        try addOwnMessage(first, in: fetchedConversation.id)
    }

    /// Stores a conversation that the user created. Uses the local values, because the response may contain
    /// only the ID of the conversation.
    package func addCreatedConversation(
        from response: CreatedConversation, category: Category, title: String?, text: String
    )
        throws
    {
        let before = try transaction.conversations.find(response.id, account: account)
        var record =
            before ?? ConversationRecord(account: account, conversation: Conversation(id: response.id))
        record.conversation.merge(
            Event.Summary(title: title, category: category, priority: nil, status: response.status))
        let now = response.createdAt ?? serverNow ?? now
        record.conversation.createdAt = now
        if record.conversation.updatedAt == nil { record.conversation.updatedAt = now }
        try save(record, previous: before)
        guard let id = response.message else { return }
        let message = Message(
            id: id, conversation: response.id, senderType: .user, text: text, createdAt: now)
        try addOwnMessage(message, in: response.id)
    }

    /// Marks the replies of a conversation as read locally, except for the newest `count` replies.
    ///
    /// - Returns: `false` if no more than `count` replies are unread.
    package func markRead(
        _ conversation: Conversation.ID, exceptNewest count: Int = 0, reason: String = onThisDevice
    ) throws -> Bool {
        guard let before = try transaction.conversations.find(conversation, account: account),
            before.unread > count
        else { return false }
        var record = before
        try markRead(&record, exceptNewest: count, reason: reason)
        try save(record, previous: before)
        try log(.conversationRead, for: record)
        return true
    }

    /// Changes the user's marks on a conversation. Muting a conversation also clears its badge. If the
    /// conversation has ended, discards its snooze.
    package func updateMarks(of id: Conversation.ID, _ change: (inout ConversationMarks) -> Void) throws {
        guard let before = try transaction.conversations.find(id, account: account) else { return }
        var record = before
        change(&record.marks)
        guard record.marks != before.marks else { return }
        try transaction.marks.setMarks(record.marks, of: id, account: account)
        if record.marks.snoozedUntil != before.marks.snoozedUntil {
            try updateSnooze(from: record.marks, of: id)
        }
        try save(record, previous: before)
        try log(.conversationUpdated, for: try transaction.conversations.find(id, account: account))
    }

    /// Sets the local badge to 0 without informing the server.
    ///
    /// - Parameter conversation: the conversation whose badge is cleared; `nil` for all conversations.
    package func clearBadge(of conversation: Conversation.ID?) throws {
        try transaction.badges.clear(account: account, conversation: conversation)
        badge.total = try badge.total.map { _ in try transaction.badges.fetchTotals(of: account).badge }
        try log(
            .badge, for: try conversation.flatMap { try transaction.conversations.find($0, account: account) }
        )
    }
}

extension Conversation {
    /// The status if the conversation is resolved or closed; otherwise `nil`.
    package var ending: Status? { status == .resolved || status == .closed ? status : nil }

    /// The message with which the conversation was created; `nil` if there are no messages.
    package var firstMessage: Message? { messages?.min { $0.createdAt < $1.createdAt } }
}
