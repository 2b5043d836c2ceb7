package import CutieAPI
package import Inbox
@_spi(Log) package import Store

/// For those who answer: nobody counts for them what waits, and what others do changes what is theirs.
extension Change {
    /// The ledger's words on a reply in a conversation that somebody else looks after.
    static let othersTask = "its conversation is none of those that you follow (notify)"
    private static let ownTask = "its conversation is one of those that you follow now"

    /// A newer state of the same conversation. To who answers, one that names nobody is assigned to nobody.
    func merge(_ newer: Conversation, into record: inout ConversationRecord) {
        record.conversation.merge(newer)
        if !perspective.isCountedByServer { record.conversation.assignedAdminID = newer.assignedAdminID }
    }

    /// What a list shows that tells whether something changed.
    func mark(of listed: Conversation) -> PolledMark { PolledMark(listed, seenBy: perspective) }

    /// An answer came: nothing in its conversation waits any more.
    func noteAnswer(_ message: Message, in record: inout ConversationRecord) throws {
        guard perspective.isAnswer(message), record.unread > 0 else { return }
        try markRead(&record, leaving: 0, how: how([message]))
    }

    /// The ledger's word on how what was unread in a thread came to be read.
    func how(_ thread: [Message]) -> String {
        guard let answer = thread.last(where: perspective.isAnswer) else { return Self.elsewhere }
        let name = perspective.isOwn(answer) ? "you" : answer.senderName ?? "a colleague"
        return "answered by \(name)"
    }

    /// Makes what waits in a conversation news where it is followed, and takes it back where it is not. Without
    /// effect where that is so already.
    func settle(_ record: inout ConversationRecord) throws {
        guard !perspective.isCountedByServer, record.unread > 0 else { return }
        let (id, unread) = (record.conversation.id, record.unread)
        let untold = try transaction.replies.newest(
            in: id, account: account, limit: unread, stage: .received)
        if perspective.isFollowed(record.conversation) {
            guard !untold.isEmpty else { return }
            try transaction.ledger.append(
                .held, detail: Self.ownTask, at: now, to: untold, in: id, account: account, pending: true)
            record.sinceClear = 1
            hasFreed = true
        } else {
            let told = try transaction.replies.unread(in: id, account: account, of: unread, leaving: 0)
                .filter { !untold.contains($0) }
            try transaction.ledger.append(
                .received, detail: Self.othersTask, at: now, to: told, in: id, account: account,
                pending: false)
            record.sinceClear = 0
            if !told.isEmpty { hasRead = true }
        }
    }

    /// The same for all conversations in which something waits.
    func settleAll() throws {
        guard !perspective.isCountedByServer else { return }
        for before in try transaction.conversations.all(account: account, unreadOnly: true) {
            var record = before
            try settle(&record)
            guard record != before else { continue }
            try save(record, was: before)
            try log(.badge, record)
        }
    }

    /// The tags of a conversation, as the server answers after a call of ours.
    package func setTags(_ tags: [Tag], of conversation: Conversation.ID) throws {
        guard let before = try transaction.conversations.find(conversation, account: account),
            before.conversation.tags != tags
        else { return }
        var record = before
        record.conversation.tags = tags
        try save(record, was: before)
        try log(.conversationUpdated, record)
    }

    /// What another person had here is not this one's: a first sync finds what they see.
    func beginAnew() throws {
        try transaction.accounts.reset(account)
        try transaction.accounts.setCursor(nil, of: account)
        badge = Badge()
        hasRead = true
        try log(.badge)
    }
}

extension PolledMark {
    /// A conversation as a list shows it to somebody. What its user has read is no change to who answers.
    package init(_ listed: Conversation, seenBy perspective: Perspective) {
        self.init(
            updatedAt: listed.updatedAt,
            unreadCount: perspective.isCountedByServer ? listed.unreadCount : nil,
            messageCount: listed.messageCount)
    }
}
