package import CutieAPI
import Domain
package import FeedPolicy
import Reasons
import Runtime
@_spi(EventLog) package import Store

/// The only writer of messages and events. Each change from the API or the user is one transaction, which
/// extends the log and updates the badge. After the commit, `head` advances and wakes its readers.
package final class Ingest {
    package let writer: LogWriter
    package let store: MessageStore
    package let head: SequenceHead
    package let readSignal: ChangeSignal
    package let stateSignal: ChangeSignal
    package let clocks: ServerClocks
    private let runtime: RuntimeEnvironment
    private let rules: any ChangeRules
    private let participant: (any ChangeParticipant)?
    /// Returns the accounts for `updateSharedInboxes`.
    let members: () throws -> [SharedInboxes.Member]
    private let oldestNews: (AccountID) -> Timestamp
    /// The `uptime` of the last poll of each account.
    private var lastPollTimes: [AccountID: Duration] = [:]
    /// The time after a poll during which an event may describe an older state. Comparing dates instead
    /// would not be reliable, because a server's clock may be adjusted.
    private static let overlap: Duration = .seconds(60)
    private let slicedConversations = SlicedConversations()
    /// The number of times that an account joined or left a shared inbox.
    package private(set) var inboxChanges = 0

    /// - Parameters:
    ///   - members: returns the accounts for `updateSharedInboxes`.
    ///   - oldestNews: returns the time before which an account's messages are never announced.
    package init(
        writer: LogWriter, clocks: ServerClocks, runtime: RuntimeEnvironment, rules: any ChangeRules,
        participant: (any ChangeParticipant)?, members: @escaping () throws -> [SharedInboxes.Member],
        oldestNews: @escaping (AccountID) -> Timestamp
    ) {
        (self.writer, store, head) = (writer, writer.store, writer.head)
        (readSignal, stateSignal) = (writer.readSignal, writer.stateSignal)
        (self.clocks, self.runtime) = (clocks, runtime)
        (self.rules, self.participant) = (rules, participant)
        (self.members, self.oldestNews) = (members, oldestNews)
    }

    package var badges: [AccountID: Badge] { writer.badges }
    package var badge: Badge { writer.badge }
    package var perspectives: [AccountID: Perspective] { writer.perspectives }
    package var inboxes: SharedInboxes { writer.inboxes }
    package var reminderSignal: ChangeSignal { writer.reminderSignal }

    package func isOpen(_ account: AccountID) -> Bool { writer.isOpen(account) }

    package func perspective(of account: AccountID) -> Perspective { writer.perspective(of: account) }

    package func reminderDelay(for perspective: Perspective) -> Duration? {
        rules.reminderDelay(for: perspective)
    }

    /// Appends an entry without an account, in the same transaction as `body`.
    package func log(
        _ kind: LogEntry.Kind, data: String? = nil, inTransaction body: (Transaction) throws -> Void
    ) throws {
        try writer.log(kind, data: data, inTransaction: body)
    }

    /// Opens these accounts and loads their badges from the store. Other accounts are closed, but their rows
    /// stay in the database. A log entry informs watchers.
    package func setOpenAccounts(_ accounts: [AccountID: Perspective]) throws {
        let opened = try store.read { transaction in
            try accounts.keys.map { ($0, try Self.computeBadge(of: $0, in: transaction)) }
        }
        let badges = Dictionary(uniqueKeysWithValues: opened)
        // Write first, because a failed write must change nothing: an account without a badge would no longer
        // accept events.
        try writer.log(.badge, badge: Badge.sum(of: badges.values)) { _ in }
        (writer.badges, writer.perspectives) = (badges, accounts)
        // Update the pending replies, because the accounts may now follow different conversations.
        for (account, perspective) in accounts where !perspective.isCountedByServer {
            try performChange(on: account) { try $0.updateAllPendingReplies() }
        }
        readSignal.notify()
        stateSignal.notify()
    }

    /// Changes the perspective of an account after another user may have signed in. The perspective and
    /// the changes by `body` are applied atomically, so that a user never sees the account with the
    /// perspective of another user.
    ///
    /// - Parameter resettingHistory: whether to delete the history and start with a first sync.
    package func changePerspective(
        of account: AccountID, to perspective: Perspective, resettingHistory: Bool,
        _ body: (AccountTransaction) throws -> Void
    ) throws {
        let former = perspectives[account]
        writer.perspectives[account] = perspective
        do {
            try performChange(on: account) { change in
                try body(change)
                try resettingHistory ? change.resetHistory() : change.updateAllPendingReplies()
            }
        } catch {
            writer.perspectives[account] = former
            throw error
        }
    }

    private static func computeBadge(of account: AccountID, in transaction: Transaction) throws -> Badge {
        let record = try transaction.accounts.find(account)
        // An identity account receives no messages, so its badge is 0.
        if record?.kind == .identity { return Badge(total: 0, unread: 0) }
        let isKnown = record?.syncedAt != nil
        return Badge(
            total: isKnown ? try transaction.badges.fetchTotals(of: account).badge : nil,
            unread: record?.unread
        )
    }

    /// Records that the server's state was polled or is known to be unchanged. Events that follow may
    /// describe an older state.
    package func recordPoll(of account: AccountID) { lastPollTimes[account] = runtime.uptime }

    /// Runs `body` as one transaction. The badge and the head change only after the commit.
    ///
    /// - Throws: `CancellationError` if the account was closed, because a change would open it again with an
    ///   unknown badge.
    package func performChange<Value>(on account: AccountID, _ body: (AccountTransaction) throws -> Value)
        throws
        -> Value
    {
        guard let badge = badges[account], let perspective = perspectives[account] else {
            throw CancellationError()
        }
        var others = Badge(total: 0, unread: 0)
        for (other, badge) in badges where other != account && countsTowardBadge(other) {
            others = others + badge
        }
        let (result, written, whenWritten) = try store.write { transaction in
            let change = AccountTransaction(
                transaction: transaction, account: account, now: runtime.now(),
                serverNow: clocks.currentTime(of: account), oldestNews: oldestNews(account),
                mayOverlap: lastPollTimes[account].map { runtime.uptime - $0 < Self.overlap } ?? false,
                perspective: perspective,
                ignores: { [rules] in rules.ignores($0, in: $1, of: account) },
                reminderDelay: rules.reminderDelay(for: perspective), inboxes: inboxes, others: others,
                badge: badge)
            let result = try body(change)
            try change.saveProgress()
            let whenWritten = try participant?.addWrites(to: change)
            try change.insertPreparedMessage()
            return (result, change, whenWritten)
        }
        writer.badges[account] = written.badge
        if written.hasRead { readSignal.notify() }
        whenWritten?()
        if written.hasReleased { writer.releaseSignal.notify() }
        if written.mayChangeReminders { writer.reminderSignal.notify() }
        if let sequence = written.sequence { head.advance(to: sequence) }
        if written.didChangeInbox {
            inboxChanges += 1
            try updateSharedInboxes()
        }
        return result
    }
}

extension Ingest {
    /// Applies a conversation that a poll fetched.
    ///
    /// - Parameter isOutdated: whether the stored conversation changed after the request.
    package func applyFetched(
        _ conversation: Conversation, listedVersion: Conversation, account: AccountID, isFirstSync: Bool,
        isOutdated: Bool = false
    ) throws {
        try performChange(on: account) {
            try $0.applyFetched(
                conversation, listedVersion: listedVersion, isFirstSync: isFirstSync, isOutdated: isOutdated)
        }
        recordPoll(of: account)
    }

    /// Applies a conversation that a poll fetched. New messages are stored in several transactions if there
    /// are many, so that other tasks can show replies in between. Events about this conversation must wait
    /// (`waitUntilSlicesApplied`), because the newest message of a conversation is the message that was
    /// stored last.
    package func applyFetchedInSlices(
        _ conversation: Conversation, listedVersion: Conversation, account: AccountID, isFirstSync: Bool,
        isOutdated: Bool = false
    ) async throws {
        guard !isOutdated, conversation.messages?.count ?? 0 > FetchedMessages.slice else {
            return try applyFetched(
                conversation, listedVersion: listedVersion, account: account, isFirstSync: isFirstSync,
                isOutdated: isOutdated)
        }
        let perspective = perspective(of: account)
        try await slicedConversations.runFetch(of: conversation.id, account: account) {
            var messages = try await store.runLongRead {
                try FetchedMessages(of: conversation, account: account, seenBy: perspective, in: $0)
            }
            while try performChange(
                on: account,
                {
                    try $0.addSlice(
                        of: &messages, conversation: conversation, listedVersion: listedVersion,
                        isFirstSync: isFirstSync)
                })
            {
                await EventLoop.shared.yield()
            }
            try performChange(on: account) {
                try $0.applyFetched(
                    conversation, listedVersion: listedVersion, isFirstSync: isFirstSync,
                    remainingMessages: messages)
            }
        }
        recordPoll(of: account)
    }

    /// Whether `applyFetchedInSlices` is storing a conversation.
    package var isStoringSlices: Bool { !slicedConversations.isEmpty }

    /// Waits until none of the conversations is being stored by `applyFetchedInSlices`.
    package func waitUntilSlicesApplied(
        in conversations: some Sequence<Conversation.ID>, account: AccountID
    ) async throws {
        try await slicedConversations.waitForFetches(of: conversations, account: account)
    }

    /// Records conversations that were listed but not fetched, and stores the listed data of conversations
    /// that are not stored yet.
    package func recordPendingFetches(_ requests: [FetchRequest], of account: AccountID) throws {
        try performChange(on: account) { change in
            for item in requests {
                try change.transaction.unfetched.add(item.id, account: account, isFirstSync: item.isFirst)
                if let listed = item.listed {
                    try change.addListedConversation(listed, isFirstSync: item.isFirst)
                }
            }
        }
    }

    package func removePendingFetch(of id: Conversation.ID, in account: AccountID) throws {
        try store.write { try $0.unfetched.remove(id, account: account) }
    }

    package func findConversation(_ id: Conversation.ID, of account: AccountID) throws -> ConversationRecord?
    {
        try store.read { try $0.conversations.find(id, account: account) }
    }

    /// Finishes a poll after all changes were applied, and calculates the badge.
    ///
    /// - Returns: `false` if the server's total differs from the local sum although no mark-read is pending.
    package func finishPoll(of account: AccountID, totalUnread: Int?, isFirstSync: Bool) throws -> Bool {
        defer { recordPoll(of: account) }
        return try performChange(on: account) { change in
            let sums = try change.transaction.badges.fetchTotals(of: account)
            let before = change.badge
            change.badge = Badge(total: sums.badge, unread: sums.unread)
            if isFirstSync {
                try change.transaction.accounts.setFirstSyncTime(change.now, of: account)
                // The first sync is complete, so the reminders can be scheduled now.
                change.mayChangeReminders = true
            }
            if change.badge != before { try change.log(.badge) }
            return try change.matchesServerUnreadTotal(totalUnread)
        }
    }

    /// Marks all messages of a conversation as read, because the conversation no longer exists on the server.
    package func markDeletedConversationAsRead(_ conversation: Conversation.ID, of account: AccountID) throws
    {
        _ = try performChange(on: account) {
            try $0.markRead(conversation, reason: "its conversation no longer exists")
        }
    }

    /// Stores the cursor for events; `nil` deletes the cursor. Without a cursor, a transport receives only
    /// new events, and a poll fetches the earlier changes.
    package func saveCursor(_ cursor: Event.ID?, of account: AccountID) throws {
        try store.write { try $0.accounts.setCursor(cursor, of: account) }
    }
}

/// Rows of accounts. Only this type writes these rows, because they contain the state of synchronization.
extension Ingest {
    /// Returns the account with this name, app and address, and creates the account if it does not exist.
    ///
    /// - Parameter makeDeviceID: called only if a new account of the kind `device` is created.
    package static func findOrCreateAccount(
        name: String, appID: String, apiURL: String, kind: AccountRecord.Kind = .device,
        in store: MessageStore,
        makeDeviceID: () -> DeviceID?
    ) throws -> AccountRecord {
        try store.write {
            try $0.accounts.findOrCreate(
                name: name, appID: appID, apiURL: apiURL, kind: kind, makeDeviceID: makeDeviceID)
        }
    }

    /// Adds an account with its device and inbox. The inbox must be known before the first sync, because
    /// another account may already have announced the same messages.
    package static func addAccount(
        name: String, appID: String, apiURL: String, device: DeviceID, inbox: String?,
        in transaction: Transaction
    ) throws {
        let record = try transaction.accounts.findOrCreate(
            name: name, appID: appID, apiURL: apiURL, makeDeviceID: { device })
        try transaction.accounts.setDeviceID(device, of: record.id)
        try AccountTransaction.saveInboxID(inbox, of: record.id, in: transaction)
    }

    /// Deletes the history and the outbox of an account, but not the account. Throws if the account is open.
    package func deleteHistoryAndOutbox(of account: AccountID) throws {
        // Reject an open account, which would fetch the deleted history again.
        guard !isOpen(account) else { throw ServiceError.failed(reason: Reason(.accountInUse)) }
        try log(.state) { try $0.accounts.deleteHistoryAndOutbox(of: account) }
        try store.wipeFreedPages()
    }

    /// Deletes a token that an earlier version stored in the database, after the token was stored elsewhere.
    package static func deleteLegacyToken(of account: AccountID, in store: MessageStore) throws {
        try store.write { try $0.accounts.deleteLegacyToken(of: account) }
        try store.wipeFreedPages()
    }
}
