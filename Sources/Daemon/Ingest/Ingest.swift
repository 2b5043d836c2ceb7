import CutieAPI
import Inbox
import Store

/// The one writer. What the API told and what the person did here is taken in one transaction: the
/// log grows, the badge is folded, and then the head moves and wakes those who read after it.
final class Ingest {
    let store: Store
    let head: Head
    private(set) var badges: [AccountID: Badge] = [:]
    private let surroundings: Surroundings
    private let perspective = Perspective.person
    private let oldestNews: () -> Timestamp

    /// `oldestNews`: what is older is beyond the kept history and is never announced.
    init(
        store: Store, surroundings: Surroundings, oldestNews: @escaping () -> Timestamp
    ) throws {
        self.store = store
        self.surroundings = surroundings
        self.oldestNews = oldestNews
        head = Head(try store.read { try $0.head() })
    }

    var badge: Badge { Badge.sum(badges.values) }

    /// Makes an account known: its badge is what the store holds.
    func open(_ account: AccountRecord) throws {
        let counted = try store.read { try $0.sums(of: account.id).badge }
        badges[account.id] = Badge(total: account.syncedAt == nil ? nil : counted, unread: account.unread)
    }

    /// An account that is no longer configured: its rows stay, its badge does not count.
    func close(_ account: AccountID) { badges[account] = nil }

    /// Takes events in the order of the server, with its cursor where they came from one.
    func accept(_ events: [Event], from account: AccountID, by transport: Rung) throws {
        try change(account) { change in
            for event in events where try change.isNew(event) { try change.apply(event, by: transport) }
            if let last = events.last { try change.transaction.setCursor(last.id, of: account) }
            try change.transaction.setLastEvent(at: change.now, of: account)
        }
    }

    /// Appends an entry that is about no account, in one transaction with `body`.
    func log(_ type: String, with body: (Transaction) throws -> Void) throws {
        let sum = badge
        let sequence = try store.write { transaction in
            try body(transaction)
            return try transaction.appendLog(
                type: type, at: surroundings.now(), badgeTotal: sum.total, badgeUnread: sum.unread)
        }
        head.move(to: sequence)
    }

    /// Runs `body` as one transaction; the badge and the head move only once it is written.
    func change<Value>(_ account: AccountID, _ body: (inout Change) throws -> Value) throws -> Value {
        let others = Badge.sum(badges.filter { $0.key != account }.values)
        let (result, written) = try store.write { transaction in
            var change = Change(
                transaction: transaction, account: account, now: surroundings.now(),
                oldestNews: oldestNews(), perspective: perspective, others: others,
                badge: badges[account] ?? Badge())
            let result = try body(&change)
            try change.keepUnread()
            return (result, change)
        }
        badges[account] = written.badge
        if let sequence = written.sequence { head.move(to: sequence) }
        return result
    }
}
