package import CutieAPI
package import EventLog
import FeedPolicy
import FoundationEssentials
import Logging
package import Reasons
@_spi(Accounts) package import Store

/// Stores the user's messages and sends them, in order per conversation, despite outages and restarts.
package final class Outbox {
    private let account: Account
    private let ingest: Ingest
    private let runtime: RuntimeEnvironment
    private let outcomes: OutboxResults
    let sender: OutboxSender
    /// Called when the list of failures that must be announced may have changed.
    private let onFailures: () -> Void

    /// The final result of an item.
    package enum Outcome {
        case sent(Conversation.ID?, Message.ID?)
        /// The item is not sent again automatically. It stays in the outbox, so that `retryItem` can send it.
        case failed(APIFailure)
    }

    init(
        account: Account, client: APIClient, authorizer: any Authorizer, ingest: Ingest,
        outcomes: OutboxResults, runtime: RuntimeEnvironment, logger: Logger,
        onFailures: @escaping () -> Void
    ) {
        (self.account, self.ingest, self.runtime) = (account, ingest, runtime)
        (self.outcomes, self.onFailures) = (outcomes, onFailures)
        sender = OutboxSender(
            account: account, client: client, authorizer: authorizer, ingest: ingest, outcomes: outcomes,
            runtime: runtime, logger: logger, onFailures: onFailures)
    }

    /// Called when the API refuses the account. The feed then reconnects to find out whether the API refuses
    /// the account or only this request.
    var onRefused: () -> Void {
        get { sender.onRefused }
        set { sender.onRefused = newValue }
    }

    /// Sends items until cancelled.
    func run() async throws { try await sender.run() }

    /// Prevents further deliveries, and waits until deliveries in flight have ended, at most for `limit`.
    func drain(within limit: Duration) async throws { try await sender.drain(within: limit) }

    /// Immediately sends the items that wait for a retry, except items with a Retry-After. Called after a
    /// reconnection.
    func sendAfterReconnect() throws { try sender.sendAfterReconnect() }

    /// Immediately sends all pending items, including items with a Retry-After.
    func sendAllNow() throws {
        sender.pauses.clearAllDelays()
        try sender.sendAfterReconnect()
    }
}

// MARK: - Storing items

extension Outbox {
    /// Stores an item and applies the local changes of `body`, in one transaction. Returns the ID of the
    /// item. `id`: an idempotency key from a caller that may repeat the call; `nil` creates a new key.
    package func enqueue(
        _ payload: OutboxPayload, in conversation: Conversation.ID?, id: String? = nil,
        applying body: (AccountTransaction) throws -> Void = { _ in }
    ) throws -> String {
        let record = try makeRecord(of: payload, in: conversation, id: id)
        try ingest.performChange(on: account.id) { change in
            try change.transaction.outbox.append(record)
            try body(change)
        }
        sender.wake()
        return record.id
    }

    /// Stores an item that is sent only after the user confirms it, and notifies the user of the reason.
    package func enqueueHeld(
        _ payload: OutboxPayload, in conversation: Conversation.ID, reason: Reason
    ) throws {
        var record = try makeRecord(of: payload, in: conversation)
        (record.state, record.error, record.isReported) = (.failed, reason, false)
        _ = try ingest.performChange(on: account.id) { try $0.transaction.outbox.append(record) }
        onFailures()
    }

    private func makeRecord(
        of payload: OutboxPayload, in conversation: Conversation.ID?, id: String? = nil
    ) throws -> OutboxRecord {
        let id = id ?? UUID().uuidString.lowercased()
        return OutboxRecord(
            id: id, account: account.id, conversation: conversation, kind: payload.kind,
            payload: String(decoding: try JSON.encode(payload), as: UTF8.self), idempotencyKey: id,
            readBound: payload.readBound, createdAt: runtime.now())
    }

    /// The result of marking a conversation as read.
    package struct ReadMark {
        /// The outbox item that notifies the server; `nil` if the server does not store read marks for this
        /// account.
        package let item: String?
    }

    /// Marks a conversation as read locally and enqueues the notification for the server, in one transaction.
    /// Messages after `messageID` stay unread. Returns `nil` if nothing was unread.
    package func markRead(_ conversation: Conversation.ID, upTo messageID: Message.ID? = nil) throws
        -> ReadMark?
    {
        let (bound, later, unread) = try ingest.store.read { transaction in
            let bound = try transaction.replies.findNewest(
                in: conversation, account: account.id, notAfter: messageID)
            let later = try bound.map {
                try transaction.replies.countReplies(in: conversation, account: account.id, after: $0)
            }
            return (
                bound, later,
                try transaction.conversations.fetchUnreadCount(of: conversation, account: account.id)
            )
        }
        guard let bound, let later, unread > later else { return nil }
        guard ingest.perspective(of: account.id).isCountedByServer else {
            _ = try ingest.performChange(on: account.id) {
                try $0.markRead(conversation, exceptNewest: later)
            }
            return ReadMark(item: nil)
        }
        let item = try enqueue(.read(upTo: bound), in: conversation) { change in
            _ = try change.markRead(conversation, exceptNewest: later)
        }
        // Mark the conversation as read also in the other accounts of a shared inbox. If unread messages
        // remain after `bound`, these accounts receive the change from the API instead.
        if later == 0 { try ingest.markReadInSiblingAccounts(conversation, of: account.id) }
        return ReadMark(item: item)
    }

    /// Returns the final status of a conversation, `resolved` or `closed`; `nil` if the conversation has not
    /// ended.
    package func finalStatus(of conversation: Conversation.ID) throws -> Status? {
        try ingest.store.read { try $0.conversations.find(conversation, account: account.id) }?.conversation
            .ending
    }
}

// MARK: - Results of items

extension Outbox {
    /// Returns the result of the item; `nil` if it is still pending after `limit`.
    package func waitForOutcome(of id: String, within limit: Duration) async throws -> Outcome? {
        try await outcomes.waitForOutcome(of: id, within: limit)
    }

    /// Removes an item. If an attempt to send the item is in progress, waits for its result first.
    ///
    /// - Returns: whether the item was removed; `false` if the item was sent or the attempt takes longer than
    ///   `limit`.
    package func cancelItem(_ id: String, within limit: Duration) async throws -> Bool {
        defer { onFailures() }
        try await sender.waitForAttempt(of: id, within: limit)
        let item = try ingest.store.read { try $0.outbox.findItem(id) }
        guard let item, item.state != .sending else { return false }
        try ingest.log(.state) { try $0.outbox.remove(id) }
        return true
    }

    /// Discards the previous result of an item and sends the item now, even if it failed or is scheduled
    /// for a later attempt.
    package func retryItem(_ id: String) throws {
        sender.pauses.clearDelay(of: id)
        outcomes.forgetOutcome(of: id)
        try ingest.store.write { transaction in
            guard var item = try transaction.outbox.findItem(id), item.state != .sending else { return }
            item.state = .waiting
            item.nextAttemptAt = nil
            try transaction.outbox.update(item)
        }
        try sender.sendAfterReconnect()
        onFailures()
    }
}

/// The results of outbox items. All units of an account share the results: a reload may replace the unit
/// while callers wait.
final class OutboxResults {
    private let store: MessageStore
    private let runtime: RuntimeEnvironment
    private let ended = ChangeSignal()
    private var outcomes: [(id: String, outcome: Outbox.Outcome)] = []
    /// The number of waiting callers per item. While a caller waits, no notification is needed, because the
    /// caller reports the result to the user.
    private var awaited: [String: Int] = [:]

    init(store: MessageStore, runtime: RuntimeEnvironment) {
        (self.store, self.runtime) = (store, runtime)
    }

    /// Returns the result of the item; `nil` if it is still pending after `limit`.
    func waitForOutcome(of id: String, within limit: Duration) async throws -> Outbox.Outcome? {
        awaited[id, default: 0] += 1
        defer { awaited[id] = awaited[id].flatMap { $0 > 1 ? $0 - 1 : nil } }
        return try await runtime.withTimeout(limit) {
            while true {
                let seen = self.ended.count
                if let ended = self.outcomes.last(where: { $0.id == id }) { return ended.outcome }
                if let stored = try self.readStoredOutcome(of: id) { return stored }
                try await self.ended.wait(past: seen)
            }
        }
    }

    /// Returns the stored result, for example after a restart; `nil` if the item is pending. An item that is
    /// not in the outbox was sent.
    private func readStoredOutcome(of id: String) throws -> Outbox.Outcome? {
        try store.read { transaction in
            guard let item = try transaction.outbox.findItem(id) else {
                let sent = try transaction.sent.findResult(ofItem: id)
                return .sent(sent?.conversation, sent?.message)
            }
            return item.state == .failed ? .failed(.fatal(item.error ?? Reason(.refused))) : nil
        }
    }

    func isAwaited(_ id: String) -> Bool { awaited[id] != nil }

    func forgetOutcome(of id: String) { outcomes.removeAll { $0.id == id } }

    func recordOutcome(_ outcome: Outbox.Outcome, of id: String) {
        outcomes = outcomes.suffix(63) + [(id, outcome)]
        ended.notify()
    }
}
