import CutieAPI
import EventLog
import FeedPolicy
import NotificationPolicy
@_spi(Notifications) import Store

/// Shows replies: computes the count and text of each notification, and writes the ledger.
struct ReplyPresenter {
    /// The result of showing replies.
    struct Showing {
        var messages: [MessageRecord]
        /// `nil` if none of the replies is pending any longer.
        var outcome: NotificationManager.Outcome?
    }

    let store: MessageStore
    let screen: NotificationManager
    let pending: PendingReplies
    let notifications: ReplyNotifications
    /// Notifies when unread messages may have been read.
    let reads: ChangeSignal

    /// Records the messages as announced and leaves out those that were read in the meantime. Returns `item`
    /// unchanged if it was recorded and nothing was read since.
    func announced(_ item: ReplyGroup) throws -> ReplyGroup {
        guard item.announcedAsOf != reads.count else { return item }
        var item = item
        item.messages = try pending.appendStep(.announcing, nil, item.messages, pending: true)
        item.announcedAsOf = reads.count
        return item
    }

    /// Records the messages as announced in the transaction that stores them.
    func announced(_ item: ReplyGroup, with transaction: Transaction) throws -> ReplyGroup {
        var item = item
        try pending.announce(item.messages, storedIn: transaction)
        item.announcedAsOf = reads.count
        return item
    }

    func show(_ item: ReplyGroup) async throws -> Showing {
        let item = try announced(item)
        guard !item.messages.isEmpty else { return Showing(messages: []) }
        // Count only what is still unread. If nothing is left of the notification, these messages are new and play
        // the sound.
        let (shown, reads) = (screen.notification(for: item.owner), reads.count)
        let still = try shown.map { try unreadCount(of: item, $0, asOf: reads) } ?? 0
        let count = still + item.messages.count
        var told = item
        if let shown, still > 0 {
            told = try adding(newestOf: shown, to: item)
            told.earlierNames = shown.names
        }
        let notification = try notifications.notification(
            for: told, count: count, isUpdate: still > 0 && screen.isOwn(item.owner),
            acceptsReplies: screen.server?.acceptsReplies ?? false)
        let facts = ShownNotification(
            id: 0, count: count, lastSequence: item.messages.lastSequence(after: shown), countedAsOf: reads,
            names: told.names)
        return try await present(notification, as: item.owner, facts, item.messages)
    }

    /// Adds the newest shown message if it is newer than these messages, because the notification shows the newest
    /// text. Released messages can be older.
    private func adding(newestOf shown: ShownNotification, to item: ReplyGroup) throws -> ReplyGroup {
        guard let last = item.messages.last, shown.lastSequence > last.sequence else { return item }
        return try store.read { transaction in
            let newest = try transaction.replies.newest(
                in: item.id, account: item.account, limit: shown.count + item.messages.count, stage: .shown)
            var told = item
            told.messages += try newest.prefix(1).flatMap {
                try transaction.messages.find($0, in: item.id, account: item.account)
            }
            .filter { $0.sequence > last.sequence }
            return told
        }
    }

    /// Returns how many messages of the notification are still unread. Counts only if something was read.
    private func unreadCount(of item: ReplyGroup, _ shown: ShownNotification, asOf reads: Int64) throws -> Int
    {
        guard shown.countedAsOf != reads else { return shown.count }
        return min(
            shown.count, try store.read { try $0.shownUnreadCount(of: item.id, account: item.account) })
    }

    /// Shows a notification. The step `announcing` is stored before this call and `shown` after it, so a crash in
    /// between shows the notification once more.
    private func present(
        _ notification: DesktopNotification, as owner: NotificationOwner, _ facts: ShownNotification,
        _ messages: [MessageRecord]
    ) async throws -> Showing {
        // The text of the notification was made with the same policy.
        let lockNote = screen.attention.policy.lockNote(at: screen.surroundings.reading)
        let outcome = try await screen.show(
            notification, as: owner, facts,
            record: { [pending] transaction, id in
                let reason: LedgerEntry.Reason? = owner == .summary ? .summary : nil
                let detail = ["notification \(id)", lockNote].compactMap(\.self).joined(separator: ", ")
                try pending.appendStep(
                    .shown, reason: reason, detail, messages, pending: false, in: transaction)
            })
        return Showing(messages: messages, outcome: outcome)
    }

    /// Shows a notification again without text, when a private pause begins.
    func hideText(of owner: NotificationOwner) async throws {
        // Without a server, nothing is on the screen.
        guard let shown = screen.notification(for: owner), let server = screen.server else { return }
        let notification = try notifications.notificationWithoutText(
            owner, shown, acceptsReplies: server.acceptsReplies)
        if case .refused = try await screen.show(notification, as: owner, shown) {
            try await screen.close(owner, because: .privacy)
        }
    }
}

// MARK: - The summary

/// The summary: one notification for all replies beyond the limit.
extension ReplyPresenter {
    func summarize(_ digest: [ReplyGroup]) async throws -> Showing {
        let (shown, reads) = (screen.notification(for: .summary), reads.count)
        var (still, members) = (0, 0)
        let messages = try pending.appendStep(
            .announcing, nil, digest.flatMap(\.messages), pending: true
        ) { transaction in
            still = try shown.map { try unreadCount(ofSummary: $0, asOf: reads, in: transaction) } ?? 0
            if still == 0 { try transaction.summary.removeAll() }
            for item in digest { try transaction.summary.add(item.id, account: item.account) }
            members = try transaction.summary.count()
        }
        guard !messages.isEmpty else { return Showing(messages: []) }
        let count = still + messages.count
        let notification = try notifications.digest(digest, count: count, of: members, isUpdate: still > 0)
        let facts = ShownNotification(
            id: 0, count: count, members: members, lastSequence: messages.lastSequence(after: shown),
            countedAsOf: reads)
        return try await present(notification, as: .summary, facts, messages)
    }

    /// Returns how many messages of the summary are still unread. Counts only if something was read, and then
    /// removes the conversations that were read.
    private func unreadCount(
        ofSummary shown: ShownNotification, asOf reads: Int64, in transaction: Transaction
    ) throws -> Int {
        guard shown.countedAsOf != reads else { return shown.count }
        try transaction.summary.removeRead()
        var count = 0
        for (account, id) in try transaction.summary.members() where count < shown.count {
            count += try transaction.shownUnreadCount(of: id, account: account)
        }
        return min(count, shown.count)
    }
}

// MARK: - Reading

extension ReplyPresenter {
    /// Returns what was read since the last call; `nil` if nothing can have been read. The notification of a
    /// message that was read elsewhere is closed.
    func read() throws -> NotificationManager.State.Input? {
        let known = reads.count
        guard screen.state.closedReads != known else { return nil }
        return try store.read { transaction in
            let shown = screen.state.notifications.filter { $0.key.announcesReplies }
            let read = try shown.filter { try isRead($0.key, $0.value, in: transaction) }
            let expired = try screen.state.expiredOwners.filter { try isRead($0.owner, in: transaction) }
            return .read(Array(read.keys), expired: expired.map(\.id), reads: known)
        }
    }

    private func isRead(
        _ owner: NotificationOwner, _ notification: ShownNotification, in transaction: Transaction
    ) throws -> Bool {
        guard owner == .summary else { return try isRead(owner, in: transaction) }
        guard notification.members > 0 else { return false }
        let accounts = try transaction.accounts.all().map(\.id).filter(pending.isOpen)
        return try !accounts.contains(where: transaction.summary.isUnread(of:))
    }

    private func isRead(_ owner: NotificationOwner, in transaction: Transaction) throws -> Bool {
        guard case .reply(let account, let id) = owner else {
            // The conversations of an expired summary are no longer known, so it counts as read when all
            // messages are read.
            return try transaction.conversations.all(unreadOnly: true).allSatisfy {
                !pending.isOpen($0.account)
            }
        }
        guard pending.isOpen(account),
            let record = try transaction.conversations.find(id, account: account), record.unread > 0
        else { return true }
        // A conversation that another member of staff has taken over no longer counts as news.
        return !pending.perspective(account).isFollowed(record.conversation)
    }
}

extension [MessageRecord] {
    /// Returns the sequence of the newest message that the notification then includes.
    fileprivate func lastSequence(after shown: ShownNotification?) -> Int64 {
        Swift.max(map(\.sequence).max() ?? 0, shown?.lastSequence ?? 0)
    }
}

extension Transaction {
    /// Returns how many unread replies of a conversation are on the screen.
    fileprivate func shownUnreadCount(of conversation: Conversation.ID, account: AccountID) throws -> Int {
        let unread = try conversations.unread(of: conversation, account: account)
        return try replies.count(in: conversation, account: account, amongNewest: unread, stage: .shown)
    }
}
