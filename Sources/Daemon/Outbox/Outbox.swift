import CutieAPI
import FoundationEssentials
import Inbox
import Logging
import Store

/// What the person sends: written first, then sent in order per conversation, across outages and restarts.
final class Outbox {
    let account: Account
    let client: APIClient
    let ingest: Ingest
    let surroundings: Surroundings
    let logger: Logger
    private let authorizer: DeviceAuthorizer
    private let work = Head()
    private let finished = Head()
    /// The API refuses the account: nothing is sent before a connection is made again.
    private var isRefused = false
    private var outcomes: [(id: String, outcome: Outcome)] = []

    /// How an item ended.
    enum Outcome {
        case sent(Conversation.ID?, Message.ID?)
        /// Will not be sent by itself; the row stays for `retry`.
        case failed(APIFailure)
    }

    init(
        account: Account, client: APIClient, authorizer: DeviceAuthorizer, ingest: Ingest,
        surroundings: Surroundings, logger: Logger
    ) {
        (self.account, self.client, self.authorizer) = (account, client, authorizer)
        (self.ingest, self.surroundings) = (ingest, surroundings)
        var logger = logger
        logger[metadataKey: "account"] = "\(account.name)"
        self.logger = logger
    }

    /// Writes an item; with it, in the same transaction, what is true for the person at once.
    func enqueue(
        _ payload: OutboxPayload, in conversation: Conversation.ID?,
        with change: (inout Change) throws -> Void = { _ in }
    ) throws -> String {
        let id = UUID().uuidString.lowercased()
        let record = OutboxRecord(
            id: id, account: account.id, conversation: conversation, kind: payload.kind,
            payload: String(decoding: try JSON.encode(payload), as: UTF8.self), idempotencyKey: id,
            readBound: payload.readBound, createdAt: surroundings.now())
        try ingest.change(account.id) { transaction in
            try transaction.transaction.enqueue(record)
            try change(&transaction)
        }
        work.advance()
        return id
    }

    /// The connection is back: what waits for its next attempt goes now.
    func sendNow() throws {
        isRefused = false
        try ingest.store.write { try $0.hastenOutbox(account.id) }
        work.advance()
    }

    /// How the item ended; nil where it still waits after `limit`.
    func outcome(of id: String, within limit: Duration) async throws -> Outcome? {
        try await surroundings.within(limit) {
            while true {
                let seen = self.finished.value
                if let ended = self.outcomes.last(where: { $0.id == id }) { return ended.outcome }
                // Remembered no more, or another unit's: what is not in the outbox any more was sent.
                if try self.ingest.store.read({ try $0.outboxItem(id) }) == nil { return .sent(nil, nil) }
                try await self.finished.passed(seen)
            }
        }
    }

    /// Sends until it is cancelled.
    func run() async throws {
        try ingest.store.write { try $0.restartOutbox(account.id) }
        while true {
            let seen = work.value
            if isRefused {
                try await work.passed(seen)
                continue
            }
            if let item = try ingest.store.read({
                try $0.nextOutbox(account: account.id, now: surroundings.now())
            }) {
                try await send(item)
            } else if let time = try ingest.store.read({ try $0.nextOutboxTime(account: account.id) }) {
                let wait = max(0, time.milliseconds - surroundings.now().milliseconds)
                _ = try await surroundings.within(.milliseconds(wait)) { [work] in
                    try await work.passed(seen)
                }
            } else {
                try await work.passed(seen)
            }
        }
    }

    private func send(_ item: OutboxRecord) async throws {
        var item = item
        do {
            try await register()
            item.state = .sending
            try ingest.store.write { _ = try $0.update(item) }
            let (conversation, message) = try await deliver(item, afterDoubt: item.isAmbiguous)
            end(item.id, .sent(conversation, message))
        } catch APIFailure.cancelled {
            throw CancellationError()
        } catch let failure as APIFailure {
            try keep(item, after: failure)
        }
    }

    /// A refusal here is of the account, not of the item.
    private func register() async throws(APIFailure) {
        do throws(APIFailure) {
            try await authorizer.register(by: client)
        } catch {
            if case .forbidden(let reason) = error { throw .unauthorized(reason) }
            throw error
        }
    }

    private func keep(_ item: OutboxRecord, after failure: APIFailure) throws {
        var item = item
        item.error = failure.sentence
        item.attempts += 1
        switch failure {
        case .retry(_, let floor, let ambiguous):
            item.state = .waiting
            item.isAmbiguous = item.isAmbiguous || ambiguous
            item.nextAttemptAt = nextAttempt(of: item, floor: floor)
        case .unauthorized:
            item.state = .waiting
            isRefused = true
            end(item.id, .failed(failure))
        default:
            try giveUp(item, because: failure)
            return
        }
        try ingest.store.write { _ = try $0.update(item) }
    }

    /// The person's words are kept for `retry`; a mark-read is not worth a row, as the next poll brings the
    /// server's count back.
    private func giveUp(_ item: OutboxRecord, because failure: APIFailure) throws {
        var item = item
        item.state = .failed
        try ingest.store.write { transaction in
            if item.readBound != nil {
                try transaction.deleteOutbox(item.id)
            } else {
                try transaction.update(item)
            }
        }
        logger.error(
            "cannot be sent", metadata: ["outbox": "\(item.id)", "reason": "\(failure.sentence)"])
        end(item.id, .failed(failure))
    }

    private func nextAttempt(of item: OutboxRecord, floor: Duration?) -> Timestamp {
        var backoff = Backoff(failures: item.attempts - 1)
        let wait = backoff.next(random: surroundings.random(), floor: floor)
        return Timestamp(milliseconds: surroundings.now().milliseconds + Int64(wait / .milliseconds(1)))
    }

    private func end(_ id: String, _ outcome: Outcome) {
        outcomes = outcomes.suffix(63) + [(id, outcome)]
        finished.advance()
    }
}

extension Outbox {
    /// Marks a conversation read here and writes what tells the server, in one transaction.
    /// nil where nothing is unread.
    func read(_ conversation: Conversation.ID) throws -> String? {
        let bound = try ingest.store.read { try $0.newestReply(in: conversation, account: account.id) }
        let unread = try ingest.store.read { try $0.conversation(conversation, account: account.id) }?.unread
        guard let bound, let unread, unread > 0 else { return nil }
        return try enqueue(.read(upTo: bound), in: conversation) { _ = try $0.readAll(of: conversation) }
    }

    /// Takes an item out; false where it is on its way.
    func cancel(_ id: String) throws -> Bool {
        try ingest.store.write { transaction in
            guard try transaction.outboxItem(id)?.state != .sending else { return false }
            return try transaction.deleteOutbox(id)
        }
    }

    /// Sends an item now, also one that failed for good.
    func retry(_ id: String) throws {
        try ingest.store.write { transaction in
            guard var item = try transaction.outboxItem(id), item.state != .sending else { return }
            item.state = .waiting
            item.nextAttemptAt = nil
            try transaction.update(item)
        }
        try sendNow()
    }
}
