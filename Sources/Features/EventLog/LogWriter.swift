package import CutieAPI
package import FeedPolicy
@_spi(EventLog) package import Store

/// The head of the log with the signals that its readers follow, and the open accounts. `Ingest` writes the
/// changes to accounts; `log` writes all other entries.
package final class LogWriter {
    package let store: MessageStore
    package let head: SequenceHead
    /// Notified when unread replies may have been read.
    package let readSignal = ChangeSignal()
    /// Notified when the state of a connection, or the list of accounts, may have changed.
    package let stateSignal = ChangeSignal()
    /// Notified when replies that were excluded from announcements become pending.
    package let releaseSignal = ChangeSignal()
    /// Notified when reminders may have changed or become obsolete. Most replies do not affect reminders.
    package let reminderSignal = ChangeSignal()
    /// The badge of each open account.
    var badges: [AccountID: Badge] = [:]
    /// The perspective of each open account.
    var perspectives: [AccountID: Perspective] = [:]
    /// The accounts that share an inbox, as of the last `Ingest.updateSharedInboxes`.
    package internal(set) var inboxes = SharedInboxes()
    private let runtime: RuntimeEnvironment

    package init(store: MessageStore, runtime: RuntimeEnvironment) throws {
        (self.store, self.runtime) = (store, runtime)
        head = SequenceHead(try store.read { try $0.log.fetchLastSequence() })
    }

    package func isOpen(_ account: AccountID) -> Bool { badges[account] != nil }

    /// Returns the perspective of an account; the perspective of a user if the account is not open.
    package func perspective(of account: AccountID) -> Perspective { perspectives[account] ?? .user }

    /// The badge of all accounts; an inbox that several accounts share is counted once.
    var badge: Badge {
        Badge.sum(of: badges.filter { !inboxes.areRepliesCountedElsewhere(of: $0.key) }.values)
    }

    /// Appends an entry without an account, in the same transaction as `body`.
    ///
    /// - Parameter data: the details of the entry, as JSON.
    package func log(
        _ kind: LogEntry.Kind, data: String? = nil, inTransaction body: (Transaction) throws -> Void
    ) throws {
        try log(kind, badge: badge, data: data, inTransaction: body)
    }

    func log(
        _ kind: LogEntry.Kind, badge: Badge, data: String? = nil,
        inTransaction body: (Transaction) throws -> Void
    ) throws {
        let sequence = try store.write { transaction in
            try body(transaction)
            return try transaction.log.append(
                kind, at: runtime.now(), badgeTotal: badge.total, badgeUnread: badge.unread, data: data)
        }
        reminderSignal.notify()
        head.advance(to: sequence)
    }
}
