package import CutieAPI
package import FeedPolicy
@_spi(EventLog) package import Store

/// Changes for accounts that answer users (staff). The server does not count unread messages for these
/// accounts, and the actions of colleagues change which conversations still need an answer.
extension AccountTransaction {
    /// The ledger reason for a reply in a conversation that the account does not follow.
    static let assignedToColleague = "its conversation is not one that you follow (notify)"
    private static let assignedToUser = "you now follow its conversation"

    /// Merges a newer state of a conversation. For staff, a state without an admin means that the
    /// conversation is unassigned.
    func merge(_ newerConversation: Conversation, into record: inout ConversationRecord) {
        record.conversation.merge(newerConversation)
        if !perspective.isCountedByServer {
            record.conversation.assignedAdminID = newerConversation.assignedAdminID
        }
    }

    /// Returns the values of a listed conversation that a poll compares to detect changes.
    func makePollSnapshot(of listedConversation: Conversation) -> PollSnapshot {
        PollSnapshot(listedConversation, seenBy: perspective)
    }

    /// Returns the ledger reason that explains how the unread replies of a conversation were read.
    ///
    /// - Parameter reply: the message that answers the replies; `nil` if they were read without an answer.
    func makeLedgerReasonForRead(afterAnswer reply: Message?) -> String {
        guard let reply else { return Self.onAnotherDevice }
        let name = perspective.isOwnMessage(reply) ? "you" : reply.senderName ?? "a colleague"
        return "answered by \(name)"
    }

    /// Makes the unread replies of a conversation pending if the conversation is followed; otherwise
    /// withdraws them. Idempotent.
    func updatePendingReplies(of record: inout ConversationRecord) throws {
        guard !perspective.isCountedByServer, record.unread > 0 else { return }
        let (id, unread) = (record.conversation.id, record.unread)
        let unannounced = try transaction.replies.fetchReplies(
            in: id, account: account, amongNewest: unread, stage: .received)
        if perspective.isSubscribed(to: record.conversation) {
            guard !unannounced.isEmpty else { return }
            try transaction.ledger.append(
                .held, detail: Self.assignedToUser, at: now, to: unannounced, in: id, account: account,
                isPendingAfterwards: true)
            record.sinceClear = 1
            hasReleased = true
        } else {
            let announced = try transaction.replies.fetchUnreadReplies(
                in: id, account: account, amongNewest: unread, excludingNewest: 0
            )
            .filter { !unannounced.contains($0) }
            try transaction.ledger.append(
                .received, detail: Self.assignedToColleague, at: now, to: announced, in: id, account: account,
                isPendingAfterwards: false)
            record.sinceClear = 0
            if !announced.isEmpty { hasRead = true }
        }
    }

    /// Calls `updatePendingReplies(of:)` for all conversations with unread replies.
    func updateAllPendingReplies() throws {
        guard !perspective.isCountedByServer else { return }
        for before in try transaction.conversations.fetchAll(account: account, unreadOnly: true) {
            var record = before
            try updatePendingReplies(of: &record)
            guard record != before else { continue }
            try save(record, previous: before)
            try log(.badge, for: record)
        }
    }

    /// Sets the tags of a conversation from the server's response to a request that this daemon sent.
    package func setTags(_ tags: [Tag], of conversation: Conversation.ID) throws {
        guard let before = try transaction.conversations.find(conversation, account: account),
            before.conversation.tags != tags
        else { return }
        var record = before
        record.conversation.tags = tags
        try save(record, previous: before)
        try log(.conversationUpdated, for: record)
    }

    /// Deletes the account's history, which belongs to another user. A first sync then fetches what the new
    /// user can see.
    func resetHistory() throws {
        try transaction.accounts.resetHistory(of: account)
        try transaction.accounts.setCursor(nil, of: account)
        badge = Badge()
        hasRead = true
        try log(.badge)
    }
}

extension PollSnapshot {
    /// Creates the snapshot of a listed conversation. For staff, ignores the user's unread count.
    package init(_ conversation: Conversation, seenBy perspective: Perspective) {
        self.init(
            updatedAt: conversation.updatedAt,
            unreadCount: perspective.isCountedByServer ? conversation.unreadCount : nil,
            messageCount: conversation.messageCount)
    }
}
