import ControlAPI
package import CutieAPI
package import Inbox
@_spi(Log) package import Store

/// The one writer. What the API told and what the person did here is taken in one transaction: the
/// log grows, the badge is folded, and then the head moves and wakes those who read after it.
package final class Ingest {
    package let store: Store
    package let head: Head
    /// Moves when something that was unread may be so no more.
    package let reads = Signal()
    /// Moves when an account's connection may be another than before, or the accounts are others.
    package let states = Signal()
    package private(set) var badges: [AccountID: Badge] = [:]
    /// What the servers' clocks show.
    package let clocks: ServerClocks
    /// The sequence that was written last. The head follows when who must come first was told.
    private var newest: Int64
    private let surroundings: Surroundings
    /// With whose eyes the messages of each open account are seen.
    private var perspectives: [AccountID: Perspective] = [:]
    private let oldestNews: (AccountID) -> Timestamp
    /// When the state of each account's server was looked at last, of `uptime`.
    private var looks: [AccountID: Duration] = [:]
    /// So long after a look an event may still tell of what was before it. Dates would not say: a server's clock
    /// may be set, too.
    private static let overlap: Duration = .seconds(60)
    /// Whether a rule takes a message of an account out of the badge.
    package var ignores: (Message, Conversation, AccountID) -> Bool = { _, _, _ in false }

    /// Which accounts are one inbox, as of the last `regroup`.
    package var inboxes = SharedInboxes()
    /// The accounts, for that.
    package var members: () throws -> [SharedInboxes.Member] = { [] }
    /// Called when an account tells again what another one told for it.
    package var onFreed: () -> Void = {}
    /// How often an account joined or left an inbox.
    package private(set) var inboxChanges = 0

    /// Joins each change in its transaction; what it returns is called once that is written.
    package var joined: (Change) throws -> (() -> Void)? = { _ in nil }

    /// `oldestNews`: what is older is beyond the kept history and is never announced.
    package init(
        store: Store, clocks: ServerClocks, surroundings: Surroundings,
        oldestNews: @escaping (AccountID) -> Timestamp
    ) throws {
        (self.store, self.clocks) = (store, clocks)
        self.surroundings = surroundings
        self.oldestNews = oldestNews
        newest = try store.read { try $0.log.head() }
        head = Head(newest)
    }

    package var badge: Badge { Badge.sum(badges.filter { counts($0.key) }.values) }

    /// Makes these the accounts that count: the badge of each is what the store holds. Of one that is no
    /// longer among them the rows stay. The entry in the log tells who watches to look again.
    package func open(only accounts: [AccountID: Perspective]) throws {
        let opened = try store.read { transaction in
            try accounts.keys.map { ($0, try Self.badge(of: $0, in: transaction)) }
        }
        let badges = Dictionary(uniqueKeysWithValues: opened)
        // What cannot be written changes nothing: accounts without a badge would take no event any more.
        try log(.badge, badge: Badge.sum(badges.values)) { _ in }
        (self.badges, perspectives) = (badges, accounts)
        // They may follow other conversations than before.
        for (account, perspective) in accounts where !perspective.isCountedByServer {
            try change(account) { try $0.settleAll() }
        }
        reads.notify()
        states.notify()
    }

    /// With whose eyes the messages of an account are seen; a person's where it is not open.
    package func perspective(of account: AccountID) -> Perspective { perspectives[account] ?? .person }

    /// Another person than before may speak for the account, as is known now and `body` writes down: in one
    /// transaction, so that nobody sees it with eyes that are not those of who signed in.
    package func see(
        _ account: AccountID, with perspective: Perspective, anew: Bool,
        _ body: (Change) throws -> Void
    ) throws {
        let former = perspectives[account]
        perspectives[account] = perspective
        do {
            try change(account) { change in
                try body(change)
                try anew ? change.beginAnew() : change.settleAll()
            }
        } catch {
            perspectives[account] = former
            throw error
        }
    }

    package func isOpen(_ account: AccountID) -> Bool { badges[account] != nil }

    private static func badge(of account: AccountID, in transaction: Transaction) throws -> Badge {
        let record = try transaction.accounts.find(account)
        // Nothing comes by an identity.
        if record?.kind == .identity { return Badge(total: 0, unread: 0) }
        let isKnown = record?.syncedAt != nil
        return Badge(
            total: isKnown ? try transaction.badges.sums(of: account).badge : nil, unread: record?.unread)
    }

    /// What came of events that were taken.
    package struct Taken {
        /// False where the total that the last change tells is not the sum of what is here.
        package var isExplained: Bool
        /// Of these an event tells something that may be older than what is here; only the server knows.
        package var doubtful: [Conversation.ID]
    }

    /// Takes events in the order of the server, with its cursor.
    @discardableResult
    package func accept(_ events: [Event], from account: AccountID, by transport: Rung) throws -> Taken {
        try change(account) { change in
            var told: Int?
            for event in events where try change.isNew(event) || change.bringsNews(event) {
                let isCurrent = try change.apply(event, by: transport)
                // A total from before a change that tells none is not that of what is here by now.
                if event.payload.changesTheSum { told = isCurrent ? event.payload.totalUnread : nil }
            }
            change.progress = .init(cursor: events.last?.id, at: change.now)
            return Taken(isExplained: try change.explains(told), doubtful: change.doubtful)
        }
    }

    /// The server's state is looked at, or known to be what it was: what its events tell from now on may be from
    /// before that.
    package func noteLook(at account: AccountID) { looks[account] = surroundings.uptime }

    private func mayOverlap(_ account: AccountID) -> Bool {
        looks[account].map { surroundings.uptime - $0 < Self.overlap } ?? false
    }

    /// Appends an entry that is about no account, in one transaction with `body`.
    /// `data`: JSON.
    package func log(
        _ kind: LogEntry.Kind, data: String? = nil, with body: (Transaction) throws -> Void
    ) throws {
        try log(kind, badge: badge, data: data, with: body)
    }

    private func log(
        _ kind: LogEntry.Kind, badge sum: Badge, data: String? = nil, with body: (Transaction) throws -> Void
    ) throws {
        let sequence = try store.write { transaction in
            try body(transaction)
            return try transaction.log.append(
                kind, at: surroundings.now(), badgeTotal: sum.total, badgeUnread: sum.unread, data: data)
        }
        newest = sequence
        head.move(to: sequence)
    }

    /// Runs `body` as one transaction; the badge and the head move only once it is written.
    /// An account that was closed meanwhile takes nothing any more: it would come back with an unknown badge.
    package func change<Value>(_ account: AccountID, _ body: (Change) throws -> Value) throws -> Value {
        guard let badge = badges[account], let perspective = perspectives[account] else {
            throw CancellationError()
        }
        let others = Badge.sum(badges.filter { $0.key != account && counts($0.key) }.values)
        let (result, written, whenWritten) = try store.write { transaction in
            let change = Change(
                transaction: transaction, account: account, now: surroundings.now(),
                serverNow: clocks.now(of: account), oldestNews: oldestNews(account),
                mayOverlap: mayOverlap(account), perspective: perspective,
                ignores: { [ignores] in ignores($0, $1, account) }, inboxes: inboxes, others: others,
                badge: badge, head: newest)
            let result = try body(change)
            try change.keepPlace()
            return (result, change, try joined(change))
        }
        badges[account] = written.badge
        newest = written.sequence ?? newest
        if written.hasRead { reads.notify() }
        whenWritten?()
        if written.hasFreed { onFreed() }
        if let sequence = written.sequence { head.move(to: sequence) }
        if written.hasRegrouped {
            inboxChanges += 1
            try regroup()
        }
        return result
    }
}

extension Ingest {
    /// Takes one conversation as a poll fetched it. `isOvertaken`: it is another one here than when the server
    /// was asked.
    package func accept(
        fetched: Conversation, listed: Conversation, account: AccountID, first: Bool,
        isOvertaken: Bool = false
    ) throws {
        try change(account) {
            try $0.apply(fetched: fetched, listed: listed, first: first, isOvertaken: isOvertaken)
        }
        noteLook(at: account)
    }

    /// Notes what was listed and not fetched, and takes what the list told of what is not here yet.
    package func leave(_ wanted: [Wanted], of account: AccountID) throws {
        try change(account) { change in
            for item in wanted {
                try change.transaction.unfetched.add(item.id, account: account, isFirst: item.isFirst)
                if let listed = item.listed { try change.apply(onlyListed: listed, first: item.isFirst) }
            }
        }
    }

    /// It need not be asked for again.
    package func noteFetched(_ id: Conversation.ID, of account: AccountID) throws {
        try store.write { try $0.unfetched.remove(id, account: account) }
    }

    package func conversation(_ id: Conversation.ID, of account: AccountID) throws -> ConversationRecord? {
        try store.read { try $0.conversations.find(id, account: account) }
    }

    /// A poll has taken everything that changed: the badge is known now. False where the server's total
    /// is not the sum of what is here although nothing waits to be sent.
    package func complete(_ account: AccountID, totalUnread: Int?, first: Bool) throws -> Bool {
        defer { noteLook(at: account) }
        return try change(account) { change in
            let sums = try change.transaction.badges.sums(of: account)
            let before = change.badge
            change.badge = Badge(total: sums.badge, unread: sums.unread)
            if first { try change.transaction.accounts.setSynced(at: change.now, of: account) }
            if change.badge != before { try change.log(.badge) }
            return try change.explains(totalUnread)
        }
    }

    /// A conversation that the server does not have any more: nothing in it is unread.
    package func lose(_ conversation: Conversation.ID, of account: AccountID) throws {
        _ = try change(account) { try $0.read(conversation, how: "its conversation is gone") }
    }

    /// Where the events go on from; nil: from "now", after a poll.
    package func keep(cursor: Event.ID?, of account: AccountID) throws {
        try store.write { try $0.accounts.setCursor(cursor, of: account) }
    }
}

/// The rows of accounts. Where an account stands in what its API tells goes with them: nobody else writes them.
extension Ingest {
    /// The account of these three, made where it is new: only then is `makeDeviceID` called, and only for a
    /// device's.
    package static func account(
        name: String, appID: String, apiURL: String, kind: AccountRecord.Kind = .device, in store: Store,
        makeDeviceID: () -> DeviceID?
    ) throws -> AccountRecord {
        try store.write {
            try $0.accounts.findOrMake(
                name: name, appID: appID, apiURL: apiURL, kind: kind, makeDeviceID: makeDeviceID)
        }
    }

    /// Makes `device` that of an account, whose inbox is known before its first sync: another account may have
    /// told what that finds.
    package static func addAccount(
        name: String, appID: String, apiURL: String, device: DeviceID, inbox: String?,
        in transaction: Transaction
    ) throws {
        let record = try transaction.accounts.findOrMake(
            name: name, appID: appID, apiURL: apiURL, makeDeviceID: { device })
        try transaction.accounts.setDeviceID(device, of: record.id)
        try Change.note(inbox: inbox, of: record.id, in: transaction)
    }

    /// The person wants nothing of an account kept that is not open any more, nor sent.
    package func forgetHistory(of account: AccountID) throws {
        // What an open one forgets comes again.
        guard !isOpen(account) else { throw Failed(reason: "the account is in use") }
        try log(.state) { try $0.accounts.forget(account) }
        try store.wipe()
    }

    /// The token of an earlier version is kept elsewhere now: it must not be readable in the file.
    package static func forgetFormerToken(of account: AccountID, in store: Store) throws {
        try store.write { try $0.accounts.forgetFormerToken(of: account) }
        try store.wipe()
    }
}
