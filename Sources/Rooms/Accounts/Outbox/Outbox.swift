package import CutieAPI
import FoundationEssentials
import Inbox
package import Log
import Logging
@_spi(Accounts) package import Store

/// What the person sends: written first, then sent in order per conversation, across outages and restarts.
package final class Outbox {
    private let account: Account
    private let ingest: Ingest
    private let surroundings: Surroundings
    private let outcomes: Outcomes
    let sender: OutboxSender
    /// What there is to tell of failures may have changed.
    private let onFailures: () -> Void

    /// How an item ended.
    package enum Outcome {
        case sent(Conversation.ID?, Message.ID?)
        /// Will not be sent by itself; the row stays for `retry`.
        case failed(APIFailure)
    }

    init(
        account: Account, client: APIClient, authorizer: any Authorizer, ingest: Ingest,
        outcomes: Outcomes, surroundings: Surroundings, logger: Logger, onFailures: @escaping () -> Void
    ) {
        (self.account, self.ingest, self.surroundings) = (account, ingest, surroundings)
        (self.outcomes, self.onFailures) = (outcomes, onFailures)
        sender = OutboxSender(
            account: account, client: client, authorizer: authorizer, ingest: ingest, outcomes: outcomes,
            surroundings: surroundings, logger: logger, onFailures: onFailures)
    }

    /// Called when the API refuses the account: a feed that connects anew finds out whether it is that or only the
    /// call.
    var onRefused: () -> Void {
        get { sender.onRefused }
        set { sender.onRefused = newValue }
    }

    /// Sends until it is cancelled.
    func run() async throws { try await sender.run() }

    /// Takes up nothing more, and returns when what is on its way has arrived or failed, at the latest after
    /// `limit`.
    func finish(within limit: Duration) async throws { try await sender.finish(within: limit) }

    /// The connection is back: what waits for its next attempt goes now, but for what the server asked to hold.
    func sendNow() throws { try sender.sendNow() }

    /// Sends all that waits now, also what the server asked to hold.
    func hasten() throws {
        sender.pauses.end()
        try sender.sendNow()
    }
}

/// What a person writes.
extension Outbox {
    /// Writes an item; with it, in the same transaction, what is true for the person at once. `id`: of a caller
    /// who may repeat the call.
    package func enqueue(
        _ payload: OutboxPayload, in conversation: Conversation.ID?, id: String? = nil,
        with body: (Change) throws -> Void = { _ in }
    ) throws -> String {
        let record = try record(of: payload, in: conversation, id: id)
        try ingest.change(account.id) { change in
            try change.transaction.outbox.append(record)
            try body(change)
        }
        sender.wake()
        return record.id
    }

    /// Keeps what is not sent before the person says so, and has them told why.
    package func keep(
        _ payload: OutboxPayload, in conversation: Conversation.ID, because reason: String
    ) throws {
        var record = try record(of: payload, in: conversation)
        (record.state, record.error, record.isTold) = (.failed, reason, false)
        _ = try ingest.change(account.id) { try $0.transaction.outbox.append(record) }
        onFailures()
    }

    private func record(
        of payload: OutboxPayload, in conversation: Conversation.ID?, id: String? = nil
    ) throws -> OutboxRecord {
        let id = id ?? UUID().uuidString.lowercased()
        return OutboxRecord(
            id: id, account: account.id, conversation: conversation, kind: payload.kind,
            payload: String(decoding: try JSON.encode(payload), as: UTF8.self), idempotencyKey: id,
            readBound: payload.readBound, createdAt: surroundings.now())
    }

    /// What was marked read.
    package struct ReadMark {
        /// What tells the server; nil: this server keeps no marks of who answers.
        package let item: String?
    }

    /// Marks a conversation read here and writes what tells the server, in one transaction; `last`: what came
    /// after that message stays unread. nil where nothing of it is unread.
    package func read(_ conversation: Conversation.ID, upTo last: Message.ID? = nil) throws -> ReadMark? {
        let (bound, later, unread) = try ingest.store.read { transaction in
            let bound = try transaction.replies.newest(in: conversation, account: account.id, notAfter: last)
            let later = try bound.map {
                try transaction.replies.count(in: conversation, account: account.id, after: $0)
            }
            return (bound, later, try transaction.conversations.unread(of: conversation, account: account.id))
        }
        guard let bound, let later, unread > later else { return nil }
        guard ingest.perspective(of: account.id).isCountedByServer else {
            _ = try ingest.change(account.id) { try $0.read(conversation, leaving: later) }
            return ReadMark(item: nil)
        }
        let item = try enqueue(.read(upTo: bound), in: conversation) { change in
            _ = try change.read(conversation, leaving: later)
        }
        // Of what came later the API tells the other ones.
        if later == 0 { try ingest.readAll(of: conversation, besides: account.id) }
        return ReadMark(item: item)
    }

    /// How a conversation ended, as far as is known here; nil: it takes messages.
    package func ending(of conversation: Conversation.ID) throws -> Status? {
        try ingest.store.read { try $0.conversations.find(conversation, account: account.id) }?.conversation
            .ending
    }
}

/// What becomes of it.
extension Outbox {
    /// How the item ended; nil where it still waits after `limit`.
    package func outcome(of id: String, within limit: Duration) async throws -> Outcome? {
        try await outcomes.outcome(of: id, within: limit)
    }

    /// Takes an item out; false where it is on its way.
    package func cancel(_ id: String) throws -> Bool {
        defer { onFailures() }
        let item = try ingest.store.read { try $0.outbox.item(id) }
        guard let item, item.state != .sending else { return false }
        try ingest.log(.state) { try $0.outbox.remove(id) }
        return true
    }

    /// Sends an item now, also one that failed for good or is held: how it ended before counts no more.
    package func retry(_ id: String) throws {
        sender.pauses.release(id)
        outcomes.forget(id)
        try ingest.store.write { transaction in
            guard var item = try transaction.outbox.item(id), item.state != .sending else { return }
            item.state = .waiting
            item.nextAttemptAt = nil
            try transaction.outbox.update(item)
        }
        try sender.sendNow()
        onFailures()
    }
}

/// How items of the outbox ended, whichever unit of their account sent them: a reload puts another one in its
/// place while somebody waits.
final class Outcomes {
    private let store: Store
    private let surroundings: Surroundings
    private let ended = Signal()
    private var outcomes: [(id: String, outcome: Outbox.Outcome)] = []
    /// Who waits for an outcome tells the person of it.
    private var awaited: [String: Int] = [:]

    init(store: Store, surroundings: Surroundings) {
        (self.store, self.surroundings) = (store, surroundings)
    }

    /// How the item ended; nil where it still waits after `limit`.
    func outcome(of id: String, within limit: Duration) async throws -> Outbox.Outcome? {
        awaited[id, default: 0] += 1
        defer { awaited[id] = awaited[id].flatMap { $0 > 1 ? $0 - 1 : nil } }
        return try await surroundings.within(limit) {
            while true {
                let seen = self.ended.count
                if let ended = self.outcomes.last(where: { $0.id == id }) { return ended.outcome }
                if let stored = try self.stored(id) { return stored }
                try await self.ended.wait(past: seen)
            }
        }
    }

    /// Of an earlier life, or remembered no more: what is not in the outbox any more was sent.
    private func stored(_ id: String) throws -> Outbox.Outcome? {
        try store.read { transaction in
            guard let item = try transaction.outbox.item(id) else {
                let sent = try transaction.sent.find(id)
                return .sent(sent?.conversation, sent?.message)
            }
            return item.state == .failed ? .failed(.fatal(item.error ?? "it was refused")) : nil
        }
    }

    func isAwaited(_ id: String) -> Bool { awaited[id] != nil }

    func forget(_ id: String) { outcomes.removeAll { $0.id == id } }

    func add(_ outcome: Outbox.Outcome, of id: String) {
        outcomes = outcomes.suffix(63) + [(id, outcome)]
        ended.notify()
    }
}
