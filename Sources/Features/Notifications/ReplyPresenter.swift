import CutieAPI
package import EventLog
import FeedPolicy
import NotificationPolicy
@_spi(Notifications) import Store

/// Shows the replies of a conversation, or the summary, as one notification: counts the replies, builds the
/// notification, passes it to `NotificationScreen`, and records in the ledger that the replies were shown.
package final class ReplyPresenter {
    /// The result of showing replies.
    struct ShowResult {
        var messages: [MessageRecord]
        /// The outcome of the notification; `nil` if none of the replies is still pending.
        var outcome: NotificationScreen.Outcome?
    }

    let store: MessageStore
    let screen: NotificationScreen
    let avatars: Avatars
    let runtime: RuntimeEnvironment
    let known = AccountIdentityCache()
    /// Notified when unread messages may have been read.
    private let reads: ChangeSignal

    package init(
        log: LogWriter, screen: NotificationScreen, avatars: Avatars, runtime: RuntimeEnvironment
    ) {
        (store, reads) = (log.store, log.readSignal)
        (self.screen, self.avatars, self.runtime) = (screen, avatars, runtime)
    }

    /// Records the messages as announced, in the transaction that stores them. `show` then does not record
    /// them again, unless messages have been read since then. Returns the updated group.
    func recordAnnouncement(of item: ReplyGroup, in change: AccountTransaction) throws -> ReplyGroup {
        let now = runtime.now()
        for record in item.messages { try change.recordAnnouncement(of: record, at: now) }
        var item = item
        item.announcedAsOf = reads.count
        return item
    }

    /// Records the messages as announced, and returns the group without messages that are already read.
    private func recordAnnouncement(of item: ReplyGroup) throws -> ReplyGroup {
        var item = item
        item.messages = try store.write {
            try Ledger($0).movePendingReplies(
                among: item.messages, to: .announcing, isPendingAfterwards: true, at: runtime.now())
        }
        item.announcedAsOf = reads.count
        return item
    }

    /// Shows the notification of a conversation. First waits for `pictures` if they include the picture of
    /// this conversation.
    func show(_ item: ReplyGroup, pictures: Avatars.Downloads?) async throws -> ShowResult {
        // Check after this wait whether the messages are still unread, because they may be read during the
        // wait.
        if let pictures, mustAwait(pictures, for: item) { try await avatars.waitForDownloads(pictures) }
        let item = item.announcedAsOf == reads.count ? item : try recordAnnouncement(of: item)
        guard !item.messages.isEmpty else { return ShowResult(messages: []) }
        // Count only messages that are still unread. If no message on the screen is unread, the notification
        // is new and plays the sound.
        let (shown, reads) = (screen.notification(for: item.owner), reads.count)
        let still = try shown.map { try fetchUnreadCount(of: item, shownNotification: $0, asOf: reads) } ?? 0
        let count = still + item.messages.count
        var presented = item
        if let shown, still > 0 {
            presented = try addingNewestMessage(of: shown, to: item)
            presented.earlierNames = shown.names
        }
        let names = presented.names
        let notification = try makeNotification(
            for: presented, senderNames: names, messageCount: count,
            isUpdate: still > 0 && shown?.isFromThisRun == true,
            acceptsReplies: screen.server?.acceptsReplies ?? false)
        let facts = ShownNotification(
            id: 0, count: count, lastSequence: item.messages.lastSequence(includingMessagesOf: shown),
            countedAsOf: reads,
            names: names)
        return try await present(notification, for: item.owner, details: facts, messages: item.messages)
    }

    /// Adds the newest shown message if it is newer than these messages, because the notification shows the
    /// newest text. Released messages can be older.
    private func addingNewestMessage(of notification: ShownNotification, to item: ReplyGroup) throws
        -> ReplyGroup
    {
        guard let last = item.messages.last, notification.lastSequence > last.sequence else { return item }
        return try store.read { transaction in
            let newest = try transaction.replies.fetchReplies(
                in: item.id, account: item.account, amongNewest: notification.count + item.messages.count,
                stage: .shown)
            var presented = item
            presented.messages += try newest.prefix(1).flatMap {
                try transaction.messages.find($0, in: item.id, account: item.account)
            }
            .filter { $0.sequence > last.sequence }
            return presented
        }
    }

    /// Returns how many messages of the notification are still unread. Counts again only if messages may have
    /// been read since the last count.
    private func fetchUnreadCount(
        of item: ReplyGroup, shownNotification: ShownNotification, asOf readSequence: Int64
    )
        throws
        -> Int
    {
        guard shownNotification.countedAsOf != readSequence else { return shownNotification.count }
        return min(
            shownNotification.count,
            try store.read { try $0.fetchShownUnreadCount(of: item.id, account: item.account) })
    }

    /// Shows a notification. The ledger step `announcing` is stored before this call, and the step `shown`
    /// after this call, so the notification is shown again if the daemon crashes in between.
    private func present(
        _ notification: DesktopNotification, for owner: NotificationOwner, details: ShownNotification,
        messages: [MessageRecord]
    ) async throws -> ShowResult {
        // Compute the note with the same policy as the text of the notification.
        let lockNote = policy.hiddenContentDescription(at: runtime.clockReading)
        let outcome = try await screen.show(
            notification, for: owner, details: details,
            record: { transaction, id in
                let reason: LedgerEntry.StepReason? = owner == .summary ? .summary : nil
                let detail = "notification \(id)" + (lockNote.map { ", " + $0 } ?? "")
                try Ledger(transaction).movePendingReplies(
                    among: messages, to: .shown, reason: reason, detail: detail, isPendingAfterwards: false,
                    at: runtime.now())
            })
        return ShowResult(messages: messages, outcome: outcome)
    }

    /// Replaces a notification with a version without text when a private pause begins. Closes the
    /// notification if the server refuses the change.
    func hideText(inNotificationOf owner: NotificationOwner) async throws {
        // Without a server, there is no notification on the screen.
        guard let shown = screen.notification(for: owner), let server = screen.server else { return }
        let notification = try makeNotificationWithoutText(
            for: owner, shownNotification: shown, acceptsReplies: server.acceptsReplies)
        if case .refused = try await screen.show(notification, for: owner, details: shown) {
            try await screen.closeNotification(of: owner, because: .privacy)
        }
    }
}

// MARK: - The summary

/// The summary: one notification for all replies beyond the limit.
extension ReplyPresenter {
    func showSummary(of digest: [ReplyGroup]) async throws -> ShowResult {
        let (shown, reads) = (screen.notification(for: .summary), reads.count)
        var (still, members) = (0, 0)
        let messages = try store.write { transaction in
            still = try shown.map { try updateUnreadCount(ofSummary: $0, asOf: reads, in: transaction) } ?? 0
            if still == 0 { try transaction.summary.removeAll() }
            for item in digest { try transaction.summary.add(item.id, account: item.account) }
            members = try transaction.summary.count()
            return try Ledger(transaction).movePendingReplies(
                among: digest.flatMap(\.messages), to: .announcing, isPendingAfterwards: true,
                at: runtime.now())
        }
        guard !messages.isEmpty else { return ShowResult(messages: []) }
        let count = still + messages.count
        let notification = try self.makeDigest(
            of: digest, messageCount: count, conversationCount: members, isUpdate: still > 0)
        let facts = ShownNotification(
            id: 0, count: count, members: members,
            lastSequence: messages.lastSequence(includingMessagesOf: shown),
            countedAsOf: reads)
        return try await present(notification, for: .summary, details: facts, messages: messages)
    }

    /// Returns how many messages of the summary are still unread. Counts again only if messages may have been
    /// read since the last count, and then removes the conversations that were read.
    private func updateUnreadCount(
        ofSummary notification: ShownNotification, asOf readSequence: Int64, in transaction: Transaction
    ) throws -> Int {
        guard notification.countedAsOf != readSequence else { return notification.count }
        try transaction.summary.removeReadConversations()
        var count = 0
        for (account, id) in try transaction.summary.fetchConversations() where count < notification.count {
            count += try transaction.fetchShownUnreadCount(of: id, account: account)
        }
        return min(count, notification.count)
    }
}

extension [MessageRecord] {
    /// Returns the sequence number of the newest message in the notification after these messages are added.
    fileprivate func lastSequence(includingMessagesOf notification: ShownNotification?) -> Int64 {
        Swift.max(map(\.sequence).max() ?? 0, notification?.lastSequence ?? 0)
    }
}

extension Transaction {
    /// Returns how many unread replies of a conversation are on the screen.
    fileprivate func fetchShownUnreadCount(of conversation: Conversation.ID, account: AccountID) throws -> Int
    {
        let unread = try conversations.fetchUnreadCount(of: conversation, account: account)
        return try replies.countReplies(
            in: conversation, account: account, amongNewest: unread, stage: .shown)
    }
}

/// A cache of the account properties that never change and that every reply needs.
final class AccountIdentityCache {
    struct Identity {
        let name: String
        let appID: String
    }

    private var known: [AccountID: Identity] = [:]

    /// Returns the properties of an account; `nil` if it does not exist. Calls `read` if the account is not
    /// cached.
    func findIdentity(of account: AccountID, _ read: () throws -> AccountRecord?) rethrows -> Identity? {
        if let known = known[account] { return known }
        guard let record = try read() else { return nil }
        let lasting = Identity(name: record.name, appID: record.appID)
        known[account] = lasting
        return lasting
    }
}
