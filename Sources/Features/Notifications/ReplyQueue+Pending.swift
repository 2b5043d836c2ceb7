import CutieAPI
import EventLog
import FeedPolicy
import NotificationPolicy
import Store

/// The stored messages that are pending announcement, and the policy's verdict on each.
extension ReplyQueue {
    /// The maximum number of messages to read at a time. If more new messages are pending, the next step
    /// reads them immediately.
    private static let batch = 1000
    /// The maximum number of batches of held messages to check per step.
    private static let maxBatches = 10

    func hasHeldReplies() throws -> Bool {
        try log.store.read { try !$0.messages.fetchHeld(limit: 1).isEmpty }
    }

    /// Returns whether a message of an open account is pending, or whether a first sync may still find a
    /// reply.
    func mayHavePendingReplies() throws -> Bool {
        try log.store.read { transaction in
            let waiting =
                try transaction.messages.fetchPending(limit: 100) + transaction.messages.fetchHeld(limit: 100)
            if waiting.contains(where: { log.isOpen($0.account) }) { return true }
            return try transaction.accounts.fetchAll().contains {
                log.isOpen($0.id) && $0.syncedAt == nil && $0.kind != .identity
            }
        }
    }

    /// Checks the pending messages against the policy. Messages that must not be shown now are held or
    /// dropped, with the reason in the ledger.
    func sortPendingMessages(includesHeldMessages: Bool) throws -> SortedReplies {
        let fresh = try fetchBatch(isHeld: false) { log.isOpen($0.account) }
        if fresh.isFull { screen.scheduleWake(at: runtime.uptime) }
        if !fresh.others.isEmpty {
            try hold(fresh.others, reason: "the account of this message is no longer configured")
        }
        var sorted = SortedReplies(news: try applyVerdicts(to: fresh.news).news, examinedCount: fresh.count)
        if includesHeldMessages { try addReleasedMessages(to: &sorted) }
        return sorted
    }

    /// Adds the held messages that may be shown now, except those found by a first sync that is still
    /// running. Reads batch by batch to limit memory, and stops at the first batch that contains a message to
    /// show.
    private func addReleasedMessages(to replies: inout SortedReplies) throws {
        let synced = try log.store.read { try $0.accounts.fetchAll() }.filter { $0.syncedAt != nil }.map(\.id)
        var waiting = 0
        for _ in 0..<Self.maxBatches {
            let held = try fetchBatch(isHeld: true, skipping: waiting) {
                synced.contains($0.account) && log.isOpen($0.account)
            }
            replies.examinedCount += held.count
            let (news, dropped) = try applyVerdicts(to: held.news)
            for item in news { replies.addReleasedMessages(item) }
            replies.isPartial = held.isFull
            guard news.isEmpty, replies.isPartial else { return }
            waiting += held.count - dropped
        }
    }

    /// A batch of pending messages.
    private struct Batch {
        /// The messages grouped by conversation, in the order of each conversation's first message.
        var news: [ReplyGroup]
        /// The messages for which `isWanted` returned `false`.
        var others: [MessageRecord]
        var count: Int
        var isFull: Bool { count == ReplyQueue.batch }
    }

    /// Reads a batch in a single transaction, to keep the cost per event low.
    private func fetchBatch(
        isHeld: Bool, skipping skippedCount: Int = 0, where isWanted: (MessageRecord) -> Bool
    ) throws -> Batch {
        try log.store.read { transaction in
            let messages = transaction.messages
            let records =
                isHeld
                ? try messages.fetchHeld(limit: Self.batch, skipping: skippedCount)
                : try messages.fetchPending(limit: Self.batch)
            return Batch(
                news: try groupMessages(records.filter(isWanted), in: transaction),
                others: records.filter { !isWanted($0) }, count: records.count)
        }
    }

    /// Stores the verdicts on messages that may not be shown now. Returns the messages that may be shown now,
    /// and the number that will never be shown.
    private func applyVerdicts(to groups: [ReplyGroup]) throws -> (news: [ReplyGroup], dropped: Int) {
        let now = runtime.clockReading
        var aside: [Policy.Verdict: [MessageRecord]] = [:]
        let news: [ReplyGroup] = groups.compactMap { news in
            let verdicts = Dictionary(grouping: news.messages) {
                screen.notificationController.verdict(on: news.makeSubject(for: $0), of: news.owner, at: now)
            }
            var news = news
            news.messages = verdicts[.show] ?? []
            aside.merge(verdicts.filter { $0.key != .show }) { $0 + $1 }
            return news.messages.isEmpty ? nil : news
        }
        return (news, try recordVerdicts(aside, now: now.time))
    }

    private func groupMessages(_ messages: [MessageRecord], in transaction: Transaction) throws
        -> [ReplyGroup]
    {
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
                    messages: [record], perspective: log.perspective(of: record.account)))
        }
        return news
    }

    func appID(of account: AccountID, in transaction: Transaction) throws -> String? {
        try presenter.known.findIdentity(of: account) { try transaction.accounts.find(account) }?.appID
    }

    /// Records the verdicts and returns the number of messages that will never be shown. All verdicts are
    /// written in a single transaction: with one transaction per conversation, a burst would write the same
    /// pages repeatedly.
    private func recordVerdicts(_ recordsByVerdict: [Policy.Verdict: [MessageRecord]], now: Timestamp) throws
        -> Int
    {
        guard !recordsByVerdict.isEmpty else { return 0 }
        return try log.store.write { transaction in
            var dropped = 0
            for (verdict, records) in recordsByVerdict {
                switch verdict {
                case .show: break
                case .suppress(let reason):
                    try Ledger(transaction).movePendingReplies(
                        among: records, to: .held, reason: .notShown, detail: reason,
                        isPendingAfterwards: false,
                        at: now)
                    dropped += records.count
                case .hold(let reason, let until):
                    screen.scheduleWake(at: until, now: now)
                    try hold(records, reason: reason, in: transaction)
                }
            }
            return dropped
        }
    }
}

/// The ledger steps of replies that are not shown now.
extension ReplyQueue {
    /// Holds messages. Held messages stay pending and are announced in a digest when they are released.
    /// Messages that are already held keep their reason.
    func hold(_ records: [MessageRecord], reason: String) throws {
        try log.store.write { try hold(records, reason: reason, in: $0) }
    }

    private func hold(_ records: [MessageRecord], reason: String, in transaction: Transaction) throws {
        try Ledger(transaction).movePendingReplies(
            among: records.filter { $0.stage != .held }, to: .held, detail: reason, isPendingAfterwards: true,
            at: runtime.now())
    }

    /// Holds messages again, with a new reason, because the notification server was lost while the messages
    /// were shown.
    func holdAgain(_ records: [MessageRecord], reason: String) throws {
        try log.store.write {
            try Ledger($0).movePendingReplies(
                among: records, to: .held, detail: reason, isPendingAfterwards: true, at: runtime.now())
        }
    }

    /// Drops the messages of `messageKeys` after the server refused a notification. The other messages stay
    /// pending.
    func recordRefusal(of records: [MessageRecord], dropping messageKeys: [MessageKey], reason: String) throws
    {
        let reason = "refused by the notification server: \(reason)"
        try log.store.write { transaction in
            let (ledger, now) = (Ledger(transaction), runtime.now())
            let given = records.filter { messageKeys.contains($0.key) }
            try ledger.movePendingReplies(
                among: given, to: .held, reason: .notShown, detail: reason, isPendingAfterwards: false,
                at: now)
            let kept = records.filter { !messageKeys.contains($0.key) }
            try ledger.movePendingReplies(
                among: kept, to: .held, detail: reason, isPendingAfterwards: true, at: now)
        }
    }
}

// MARK: - Reading

extension ReplyQueue {
    /// Returns the notifications whose messages were read elsewhere, so that the notifications are closed.
    func findReadNotifications() throws -> NotificationScreen.State.Input {
        let known = log.readSignal.count
        return try log.store.read { transaction in
            let shown = screen.state.notifications.filter { $0.key.announcesReplies }
            let read = try shown.filter {
                try areMessagesRead(of: $0.key, notification: $0.value, in: transaction)
            }
            let expired = try screen.state.expiredOwners.filter {
                try areMessagesRead(of: $0.owner, in: transaction)
            }
            return .read(Array(read.keys), expired: expired.map(\.id), reads: known)
        }
    }

    private func areMessagesRead(
        of owner: NotificationOwner, notification: ShownNotification, in transaction: Transaction
    ) throws -> Bool {
        guard owner == .summary else { return try areMessagesRead(of: owner, in: transaction) }
        guard notification.members > 0 else { return false }
        let accounts = try transaction.accounts.fetchAll().map(\.id).filter(log.isOpen)
        return try !accounts.contains(where: transaction.summary.hasUnreadConversation(of:))
    }

    private func areMessagesRead(of owner: NotificationOwner, in transaction: Transaction) throws -> Bool {
        guard case .reply(let account, let id) = owner else {
            // The conversations of an expired summary are no longer known, so the summary counts as read when
            // all messages are read.
            return try transaction.conversations.fetchAll(unreadOnly: true).allSatisfy {
                !log.isOpen($0.account)
            }
        }
        guard log.isOpen(account),
            let record = try transaction.conversations.find(id, account: account), record.unread > 0
        else { return true }
        // Treat a conversation as read if another member of staff has taken it over.
        return !log.perspective(of: account).isSubscribed(to: record.conversation)
    }
}
