package import CutieAPI
import Inbox
@_spi(Log) package import Store

extension Change {
    /// Whether another of our calls made this message: the same words may be meant twice.
    package static func isAnswer(
        _ message: Message.ID, in conversation: Conversation.ID, account: AccountID,
        _ transaction: Transaction
    ) throws -> Bool {
        try transaction.ledger.steps(of: message, in: conversation, account: account).contains {
            $0.reason == .answered
        }
    }

    /// Our own message as the server took it. Its event will come, too, and find it here.
    package func addOwn(_ message: Message, in conversation: Conversation.ID) throws {
        let before = try transaction.conversations.find(conversation, account: account)
        var record =
            before ?? ConversationRecord(account: account, conversation: Conversation(id: conversation))
        let isNew = try add(message, of: &record, pending: false, by: .poll)
        try transaction.ledger.append(
            .stored, reason: .answered, at: now, to: message.id,
            in: conversation, account: account)
        guard isNew else { return }
        try noteAnswer(message, in: &record)
        record.conversation.updatedAt = message.createdAt
        try save(record, was: before)
        try logMessage(message, record)
    }

    /// A conversation that we began, as it was fetched: what it is, and our own words. Its replies and counts
    /// are the feed's: an event may have overtaken this answer.
    package func addBegun(_ fetched: Conversation) throws {
        if try transaction.conversations.find(fetched.id, account: account) == nil {
            var conversation = Conversation(id: fetched.id)
            conversation.merge(fetched)
            conversation.unreadCount = nil
            try save(ConversationRecord(account: account, conversation: conversation), was: nil)
        }
        guard let first = fetched.firstMessage, perspective.isOwn(first) else { return }
        try addOwn(first, in: fetched.id)
    }

    /// A conversation that we began. Only its id is certain in the answer.
    package func begin(
        _ created: CreatedConversation, category: Category, title: String?, text: String
    )
        throws
    {
        let before = try transaction.conversations.find(created.id, account: account)
        var record =
            before ?? ConversationRecord(account: account, conversation: Conversation(id: created.id))
        record.conversation.merge(
            Event.Summary(title: title, category: category, priority: nil, status: created.status))
        let now = created.createdAt ?? serverNow ?? now
        record.conversation.createdAt = now
        if record.conversation.updatedAt == nil { record.conversation.updatedAt = now }
        try save(record, was: before)
        guard let id = created.message else { return }
        let message = Message(
            id: id, conversation: created.id, senderType: .user, text: text, createdAt: now)
        try addOwn(message, in: created.id)
    }

    /// Marks read here all but the newest `count` replies; false where no more than these are unread.
    package func read(
        _ conversation: Conversation.ID, leaving count: Int = 0, how: String = here
    ) throws -> Bool {
        guard let before = try transaction.conversations.find(conversation, account: account),
            before.unread > count
        else { return false }
        var record = before
        try markRead(&record, leaving: count, how: how)
        try save(record, was: before)
        try log(.conversationRead, record)
        return true
    }

    /// Sets the badge to 0 here, of one conversation or of all; the server is not told.
    package func clearBadge(_ conversation: Conversation.ID?) throws {
        try transaction.badges.clear(account: account, conversation: conversation)
        badge.total = try badge.total.map { _ in try transaction.badges.sums(of: account).badge }
        try log(
            .badge, try conversation.flatMap { try transaction.conversations.find($0, account: account) })
    }
}

extension Conversation {
    /// How it ended; nil: it takes messages.
    package var ending: Status? { status == .resolved || status == .closed ? status : nil }

    /// What it was begun with.
    package var firstMessage: Message? { messages?.min { $0.createdAt < $1.createdAt } }
}
