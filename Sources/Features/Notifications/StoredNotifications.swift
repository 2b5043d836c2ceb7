import CutieAPI
import EventLog
import NotificationPolicy
import Platform
@_spi(Notifications) import Store

/// The stored notifications, and the ledger entries of their replies.
final class StoredNotifications {
    private let store: MessageStore
    private let session: SessionIdentity
    private let runtime: RuntimeEnvironment
    /// The session of the server that was last queried.
    private var known: (server: String, session: String)?

    init(store: MessageStore, session: SessionIdentity, runtime: RuntimeEnvironment) {
        (self.store, self.session, self.runtime) = (store, session, runtime)
    }

    /// The stored notifications of previous runs.
    struct PreviousNotifications {
        /// The notifications of the server's session. Some of them may no longer be on the screen.
        var notifications: [NotificationOwner: ShownNotification] = [:]
        /// The notifications that ended, oldest first.
        var ended: [EndedNotification] = []
        /// The instances of the servers that showed the ended notifications, by notification ID.
        var instances: [UInt32: String] = [:]
    }

    /// Returns the stored notifications of this server's session and removes all others. Returns all closed
    /// notifications, because the instance of the server is unknown until a click.
    func adoptNotifications(of server: NotificationServer) throws -> PreviousNotifications {
        let (records, ended, members) = try store.write { transaction in
            try transaction.notifications.removeAll(exceptThoseOf: sessionName(of: server))
            let table = transaction.notifications
            return (try table.fetchAll(), try table.fetchEnded(), try transaction.summary.count())
        }
        let notifications = records.map { ($0.owner, ShownNotification($0, members: members)) }
        return PreviousNotifications(
            notifications: Dictionary(notifications) { _, last in last },
            ended: ended.map {
                EndedNotification(owner: $0.owner, notification: ShownNotification($0, members: members))
            },
            instances: Dictionary(ended.map { ($0.notification, $0.session) }) { _, last in last })
    }

    /// Stores that a notification was closed on this instance of the server.
    func recordClosing(of closedNotification: EndedNotification, session: String) throws {
        try store.write {
            try $0.notifications.saveEnded(
                NotificationRecord(
                    owner: closedNotification.owner, notification: closedNotification.notification.id,
                    session: session,
                    count: closedNotification.notification.count,
                    lastSequence: closedNotification.notification.lastSequence,
                    shownAt: runtime.now()))
        }
    }

    func contains(_ owner: NotificationOwner) throws -> Bool {
        try store.read { try $0.notifications.fetchAll().contains { $0.owner == owner } }
    }

    /// Stores a notification and calls `record` in the same transaction. Removes the `former` owners of the
    /// notification's ID.
    func save(
        _ notification: ShownNotification, of owner: NotificationOwner, on server: NotificationServer,
        replacing former: [NotificationOwner], _ record: (Transaction) throws -> Void
    ) throws {
        try store.write { transaction in
            for owner in former { try transaction.notifications.removeNotification(of: owner) }
            try transaction.notifications.save(
                NotificationRecord(
                    owner: owner, notification: notification.id, session: sessionName(of: server),
                    count: notification.count,
                    lastSequence: notification.lastSequence, shownAt: runtime.now()))
            try record(transaction)
        }
    }

    /// Removes a notification that is no longer on the screen. `reason`: the detail for the ledger.
    func eraseNotification(of owner: NotificationOwner, reason: String) throws {
        try store.write { transaction in
            try transaction.notifications.removeNotification(of: owner)
            if case .reply(let account, let conversation) = owner {
                try Ledger(transaction).markShownMessagesAsClosed(
                    in: conversation, account: account, detail: reason, at: runtime.now())
            }
        }
    }

    /// Makes the unread replies of `owners` pending again after the server was lost, and deletes the records
    /// of all notifications. `summaryConversationCount`: the number of conversations in the summary. If this
    /// number is not
    /// 0, the replies of these conversations also become pending again.
    func holdReplies(of owners: [NotificationOwner], summaryConversationCount: Int) throws {
        try store.write { transaction in
            let summarised = summaryConversationCount > 0 ? try transaction.summary.fetchConversations() : []
            for owner in owners + summarised.map({ .reply($0.account, $0.conversation) }) {
                try holdUnreadReplies(of: owner, in: transaction)
            }
            try transaction.notifications.removeAll()
        }
    }

    private func holdUnreadReplies(of owner: NotificationOwner, in transaction: Transaction) throws {
        guard case .reply(let account, let id) = owner,
            let unread = try transaction.conversations.find(id, account: account)?.unread
        else { return }
        let replies = try transaction.replies.fetchReplies(
            in: id, account: account, amongNewest: unread, stage: .shown)
        try Ledger(transaction).markAsHeld(
            replies, in: id, account: account, detail: "the notification server stopped",
            at: runtime.now())
    }

    /// Returns the identity of the session. IDs are valid only for the same boot, bus and server.
    private func sessionName(of server: NotificationServer) -> String {
        if let known, known.server == server.name { return known.session }
        let name = [session.bootID, session.busAddress, server.name].map { $0 ?? "" }.joined(separator: " ")
        known = (server.name, name)
        return name
    }
}

extension ShownNotification {
    fileprivate init(_ record: NotificationRecord, members: Int) {
        // Accept only the action `open`, which changes nothing: after a restart, the server may have assigned
        // the ID to a notification of another program.
        self.init(
            id: record.notification, isFromThisRun: false, count: record.count,
            members: record.owner == .summary ? members : 0, lastSequence: record.lastSequence,
            actions: [.open])
    }
}
