import CutieAPI
import Inbox
import Store

/// The one writer. What the API told and what the person did here is taken in one transaction: the
/// log grows, the badge is folded, and then the head moves and wakes those who read after it.
final class Ingest {
    let store: Store
    let head: Head
    /// Moves when something that was unread may be so no more.
    let reads = Head()
    /// Moves when an account's connection may be another than before, or the accounts are others.
    let states = Head()
    private(set) var badges: [AccountID: Badge] = [:]
    private let surroundings: Surroundings
    private let perspective = Perspective.person
    private let oldestNews: () -> Timestamp
    /// Whether a rule takes a message of an account out of the badge.
    var ignores: (Message, Conversation, AccountID) -> Bool = { _, _, _ in false }

    /// Which accounts are one inbox, as of the last `regroup`.
    var inboxes = SharedInboxes()
    /// The accounts, for that.
    var members: () throws -> [SharedInboxes.Member] = { [] }
    /// Called when an account tells again what another one told for it.
    var onFreed: () -> Void = {}
    /// How often an account joined or left an inbox.
    private(set) var inboxChanges = 0

    /// Joins each change in its transaction; what it returns is called once that is written.
    var joined: (Change) throws -> (() -> Void)? = { _ in nil }

    /// `oldestNews`: what is older is beyond the kept history and is never announced.
    init(
        store: Store, surroundings: Surroundings, oldestNews: @escaping () -> Timestamp
    ) throws {
        self.store = store
        self.surroundings = surroundings
        self.oldestNews = oldestNews
        head = Head(try store.read { try $0.head() })
    }

    var badge: Badge { Badge.sum(badges.filter { counts($0.key) }.values) }

    /// Makes these the accounts that count: the badge of each is what the store holds. Of one that is no
    /// longer among them the rows stay. The entry in the log tells who watches to look again.
    func open(only accounts: [AccountID]) throws {
        let opened = try store.read { transaction in
            try accounts.map { ($0, try Self.badge(of: $0, in: transaction)) }
        }
        let badges = Dictionary(opened) { first, _ in first }
        // What cannot be written changes nothing: accounts without a badge would take no event any more.
        try log("badge", badge: Badge.sum(badges.values)) { _ in }
        self.badges = badges
        reads.advance()
        states.advance()
    }

    func isOpen(_ account: AccountID) -> Bool { badges[account] != nil }

    private static func badge(of account: AccountID, in transaction: Transaction) throws -> Badge {
        let record = try transaction.account(account)
        let isKnown = record?.syncedAt != nil
        return Badge(total: isKnown ? try transaction.sums(of: account).badge : nil, unread: record?.unread)
    }

    /// Takes events in the order of the server, with its cursor. False where the total that the last
    /// change of it tells is not the sum of what is here; what is older than `newest` is not compared.
    @discardableResult
    func accept(
        _ events: [Event], from account: AccountID, by transport: Rung,
        comparedSince newest: Timestamp = .distantFuture
    ) throws -> Bool {
        try change(account) { change in
            for event in events where try change.isNew(event) || change.bringsNews(event) {
                try change.apply(event, by: transport)
            }
            try change.transaction.setProgress(to: events.last?.id, at: change.now, of: account)
            // A total from before a change that tells none is not that of what is here by now.
            let told = events.last { $0.createdAt >= newest && $0.payload.changesTheSum }
            return try change.explains(told?.payload.totalUnread)
        }
    }

    /// Appends an entry that is about no account, in one transaction with `body`.
    func log(_ type: String, with body: (Transaction) throws -> Void) throws {
        try log(type, badge: badge, with: body)
    }

    private func log(_ type: String, badge sum: Badge, with body: (Transaction) throws -> Void) throws {
        let sequence = try store.write { transaction in
            try body(transaction)
            return try transaction.appendLog(
                type: type, at: surroundings.now(), badgeTotal: sum.total, badgeUnread: sum.unread)
        }
        head.move(to: sequence)
    }

    /// Runs `body` as one transaction; the badge and the head move only once it is written.
    /// An account that was closed meanwhile takes nothing any more: it would come back with an unknown badge.
    func change<Value>(_ account: AccountID, _ body: (inout Change) throws -> Value) throws -> Value {
        guard let badge = badges[account] else { throw CancellationError() }
        let others = Badge.sum(badges.filter { $0.key != account && counts($0.key) }.values)
        let (result, written, whenWritten) = try store.write { transaction in
            var change = Change(
                transaction: transaction, account: account, now: surroundings.now(),
                oldestNews: oldestNews(), perspective: perspective,
                ignores: { [ignores] in ignores($0, $1, account) }, inboxes: inboxes, others: others,
                badge: badge)
            let result = try body(&change)
            try change.keepUnread()
            return (result, change, try joined(change))
        }
        badges[account] = written.badge
        if written.hasRead { reads.advance() }
        whenWritten?()
        if let sequence = written.sequence { head.move(to: sequence) }
        if written.hasRegrouped {
            inboxChanges += 1
            try regroup()
        }
        return result
    }
}
