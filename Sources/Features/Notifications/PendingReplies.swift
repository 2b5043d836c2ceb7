import CutieAPI
import EventLog
import FeedPolicy
import NotificationPolicy
import Store

/// The messages that are pending announcement, the policy's verdict on each, and their ledger steps. Pending
/// messages are stored, so a restart neither repeats nor loses an announcement.
struct PendingReplies {
    let store: MessageStore
    let screen: NotificationManager
    let known: KnownAccounts
    /// Returns whether an account is configured.
    let isOpen: (AccountID) -> Bool
    /// Returns whether an account's messages are seen as a person or as staff.
    let perspective: (AccountID) -> Perspective
    let surroundings: RuntimeEnvironment

    /// The number of messages that a step reads. If there are more, the next step follows at once.
    private static let batch = 1000
    /// The number of batches of held messages that are checked per step.
    private static let maxBatches = 10

    init(
        store: MessageStore, screen: NotificationManager, known: KnownAccounts,
        isOpen: @escaping (AccountID) -> Bool,
        perspective: @escaping (AccountID) -> Perspective, surroundings: RuntimeEnvironment
    ) {
        (self.store, self.screen, self.perspective) = (store, screen, perspective)
        (self.known, self.isOpen, self.surroundings) = (known, isOpen, surroundings)
    }

    func hasHeldReplies() throws -> Bool {
        try store.read { try !$0.messages.held(limit: 1).isEmpty }
    }

    /// Returns whether a message of an open account is pending, or a first sync may still find one.
    func mayHaveReplies() throws -> Bool {
        try store.read { transaction in
            let waiting =
                try transaction.messages.pending(limit: 100) + transaction.messages.held(limit: 100)
            if waiting.contains(where: { isOpen($0.account) }) { return true }
            return try transaction.accounts.all().contains {
                isOpen($0.id) && $0.syncedAt == nil && $0.kind != .identity
            }
        }
    }

    /// Checks the pending messages against the policy. Messages that may not be shown are held or dropped,
    /// with the reason in the ledger.
    func sorted(alsoHeld: Bool) throws -> SortedPending {
        let fresh = try batch(held: false) { isOpen($0.account) }
        if fresh.isFull { screen.wake(at: surroundings.uptime) }
        if !fresh.others.isEmpty { try hold(fresh.others, reason: "its account is no longer configured") }
        var sorted = SortedPending(news: try admitted(fresh.news).news, examinedCount: fresh.count)
        if alsoHeld { try release(into: &sorted) }
        return sorted
    }

    /// Returns the only reply of a change; `nil` if there are more or it may not be shown now.
    func singleReply(in change: AccountTransaction) throws -> ReplyGroup? {
        guard change.newMessages.count == 1, let message = change.newMessages.first,
            let conversation = change.conversation?.conversation,
            conversation.id == message.message.conversation
        else { return nil }
        let item = ReplyGroup(
            account: message.account, id: conversation.id, conversation: conversation,
            appID: try appID(of: message.account, in: change.transaction), messages: [message],
            perspective: perspective(message.account))
        let verdict = screen.attention.verdict(
            on: item.subject(message), of: item.owner, at: surroundings.reading)
        return verdict == .show ? item : nil
    }

    /// Adds the held messages that may be shown now, except those found by a first sync that is still
    /// running. Reads batch by batch to limit memory, and stops at the first batch that contains a message to
    /// show.
    private func release(into sorted: inout SortedPending) throws {
        let synced = try store.read { try $0.accounts.all() }.filter { $0.syncedAt != nil }.map(\.id)
        var waiting = 0
        for _ in 0..<Self.maxBatches {
            let held = try batch(held: true, skipping: waiting) {
                synced.contains($0.account) && isOpen($0.account)
            }
            sorted.examinedCount += held.count
            let (news, dropped) = try admitted(held.news)
            for item in news { sorted.release(item) }
            sorted.isPartial = held.isFull
            guard news.isEmpty, sorted.isPartial else { return }
            waiting += held.count - dropped
        }
    }

    /// A batch of pending messages.
    private struct Batch {
        /// Grouped by conversation, in the order of the first message of each.
        var news: [ReplyGroup]
        /// The messages for which `isWanted` returned `false`.
        var others: [MessageRecord]
        var count: Int
        var isFull: Bool { count == PendingReplies.batch }
    }

    /// Uses a single read transaction, because every event leads here.
    private func batch(
        held: Bool, skipping skipped: Int = 0, where isWanted: (MessageRecord) -> Bool
    ) throws -> Batch {
        try store.read { transaction in
            let messages = transaction.messages
            let records =
                held
                ? try messages.held(limit: Self.batch, skipping: skipped)
                : try messages.pending(limit: Self.batch)
            return Batch(
                news: try grouped(records.filter(isWanted), in: transaction),
                others: records.filter { !isWanted($0) }, count: records.count)
        }
    }

    /// Returns the messages that may be shown now, and the number that will never be shown.
    private func admitted(_ waiting: [ReplyGroup]) throws -> (news: [ReplyGroup], dropped: Int) {
        let now = surroundings.reading
        var aside: [Policy.Verdict: [MessageRecord]] = [:]
        let news: [ReplyGroup] = waiting.compactMap { news in
            let verdicts = Dictionary(grouping: news.messages) {
                screen.attention.verdict(on: news.subject($0), of: news.owner, at: now)
            }
            var news = news
            news.messages = verdicts[.show] ?? []
            aside.merge(verdicts.filter { $0.key != .show }) { $0 + $1 }
            return news.messages.isEmpty ? nil : news
        }
        return (news, try setAside(aside, now: now.time))
    }

    private func grouped(_ messages: [MessageRecord], in transaction: Transaction) throws -> [ReplyGroup] {
        var news: [ReplyGroup] = []
        var places: [NotificationOwner: Int] = [:]
        for record in messages {
            let id = record.message.conversation
            let owner = NotificationOwner.reply(record.account, id)
            if let place = places[owner] {
                news[place].messages.append(record)
                continue
            }
            places[owner] = news.count
            let conversation = try transaction.conversations.find(id, account: record.account)?.conversation
            let appID = try appID(of: record.account, in: transaction)
            news.append(
                ReplyGroup(
                    account: record.account, id: id, conversation: conversation, appID: appID,
                    messages: [record], perspective: perspective(record.account)))
        }
        return news
    }

    private func appID(of account: AccountID, in transaction: Transaction) throws -> String? {
        try known.find(account) { try transaction.accounts.find(account) }?.appID
    }

    /// Records the verdicts and returns the number of messages that will never be shown. A single transaction
    /// covers all of them: with one per conversation, a burst would write the same pages once per message.
    private func setAside(_ refused: [Policy.Verdict: [MessageRecord]], now: Timestamp) throws -> Int {
        guard !refused.isEmpty else { return 0 }
        return try store.write { transaction in
            var dropped = 0
            for (verdict, records) in refused {
                switch verdict {
                case .show: break
                case .suppress(let reason):
                    try appendStep(.held, reason: .notShown, reason, records, pending: false, in: transaction)
                    dropped += records.count
                case .hold(let reason, let until):
                    screen.wake(at: until, now: now)
                    try hold(records, reason: reason, in: transaction)
                }
            }
            return dropped
        }
    }
}

/// The ledger steps.
extension PendingReplies {
    /// Holds messages. They stay pending and are announced in a digest when they are released. Messages that
    /// are held already keep their reason.
    func hold(_ records: [MessageRecord], reason: String) throws {
        try store.write { try hold(records, reason: reason, in: $0) }
    }

    private func hold(_ records: [MessageRecord], reason: String, in transaction: Transaction) throws {
        try appendStep(.held, reason, records.filter { $0.stage != .held }, pending: true, in: transaction)
    }

    /// Adds a ledger step to those of `records` that are still pending, and returns these. Messages may have
    /// been read elsewhere while the daemon waited for the notification server.
    @discardableResult
    func appendStep(
        _ stage: LedgerStage, reason: LedgerEntry.Reason? = nil, _ detail: String?,
        _ records: [MessageRecord],
        pending: Bool,
        with change: (Transaction) throws -> Void = { _ in }
    ) throws -> [MessageRecord] {
        try store.write { transaction in
            try change(transaction)
            return try appendStep(stage, reason: reason, detail, records, pending: pending, in: transaction)
        }
    }

    @discardableResult
    func appendStep(
        _ stage: LedgerStage, reason: LedgerEntry.Reason? = nil, _ detail: String?,
        _ records: [MessageRecord],
        pending: Bool,
        in transaction: Transaction
    ) throws -> [MessageRecord] {
        let now = surroundings.now()
        return try records.filter { record in
            try Ledger(transaction).move(
                record, to: stage, reason: reason, detail: detail, pending: pending, at: now)
        }
    }

    /// Marks messages as announced in the transaction that stores them.
    func announce(_ records: [MessageRecord], storedIn transaction: Transaction) throws {
        let now = surroundings.now()
        for record in records { try Ledger(transaction).announce(record, at: now) }
    }

    /// Drops the `lost` messages after a refusal. The others stay pending.
    func refuse(_ records: [MessageRecord], except lost: [MessageKey], reason: String) throws {
        let reason = "refused by the notification server: \(reason)"
        try store.write { transaction in
            let given = records.filter { lost.contains($0.key) }
            try appendStep(
                .held, reason: .notShown, reason, given, pending: false, in: transaction)
            let kept = records.filter { !lost.contains($0.key) }
            try appendStep(.held, reason, kept, pending: true, in: transaction)
        }
    }
}
