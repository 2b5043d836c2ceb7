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
    /// What the servers' clocks show.
    let clocks: ServerClocks
    private let surroundings: Surroundings
    private let perspective = Perspective.person
    private let oldestNews: (AccountID) -> Timestamp
    /// When the state of each account's server was looked at last, of `uptime`.
    private var looks: [AccountID: Duration] = [:]
    /// So long after a look an event may still tell of what was before it. Dates would not say: a server's clock
    /// may be set, too.
    private static let overlap: Duration = .seconds(60)
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
        store: Store, clocks: ServerClocks, surroundings: Surroundings,
        oldestNews: @escaping (AccountID) -> Timestamp
    ) throws {
        (self.store, self.clocks) = (store, clocks)
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

    /// What came of events that were taken.
    struct Taken {
        /// False where the total that the last change tells is not the sum of what is here.
        var isExplained: Bool
        /// Of these an event tells something that may be older than what is here; only the server knows.
        var doubtful: [Conversation.ID]
    }

    /// Takes events in the order of the server, with its cursor.
    @discardableResult
    func accept(_ events: [Event], from account: AccountID, by transport: Rung) throws -> Taken {
        try change(account) { change in
            var told: Int?
            for event in events where try change.isNew(event) || change.bringsNews(event) {
                let isCurrent = try change.apply(event, by: transport)
                // A total from before a change that tells none is not that of what is here by now.
                if event.payload.changesTheSum { told = isCurrent ? event.payload.totalUnread : nil }
            }
            try change.transaction.setProgress(to: events.last?.id, at: change.now, of: account)
            return Taken(isExplained: try change.explains(told), doubtful: change.doubtful)
        }
    }

    /// The server's state is looked at, or known to be what it was: what its events tell from now on may be from
    /// before that.
    func noteLook(at account: AccountID) { looks[account] = surroundings.uptime }

    private func mayOverlap(_ account: AccountID) -> Bool {
        looks[account].map { surroundings.uptime - $0 < Self.overlap } ?? false
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
                serverNow: clocks.now(of: account), oldestNews: oldestNews(account),
                mayOverlap: mayOverlap(account), perspective: perspective,
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
