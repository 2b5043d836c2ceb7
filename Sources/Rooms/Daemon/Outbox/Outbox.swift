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
    private let outcomes: Outcomes
    private let work = Head()
    /// Moves when a delivery has ended, however it did.
    private let deliveries = Head()
    private var isDelivering = false
    /// Nothing more is taken up.
    private var isEnding = false
    /// The API refuses the account: nothing is sent before a connection is made again.
    var isRefused = false
    /// Called when it does: a feed that connects anew finds out whether it is the account or only this call.
    var onRefused: () -> Void = {}
    /// Refusals since something was sent.
    var refusals = 0
    /// Nothing is taken up before that, of `uptime`.
    var rest = Duration.zero
    /// What is not sent before a time, of `uptime`, also where the connection is back.
    var holds: [String: Duration] = [:]
    /// What there is to tell of failures may have changed.
    let onFailures: () -> Void

    /// How an item ended.
    enum Outcome {
        case sent(Conversation.ID?, Message.ID?)
        /// Will not be sent by itself; the row stays for `retry`.
        case failed(APIFailure)
    }

    init(
        account: Account, client: APIClient, authorizer: DeviceAuthorizer, ingest: Ingest,
        outcomes: Outcomes, surroundings: Surroundings, logger: Logger, onFailures: @escaping () -> Void
    ) {
        (self.account, self.client, self.authorizer) = (account, client, authorizer)
        (self.ingest, self.outcomes, self.surroundings) = (ingest, outcomes, surroundings)
        self.onFailures = onFailures
        var logger = logger
        logger[metadataKey: "account"] = "\(account.name)"
        self.logger = logger
    }

    /// Writes an item; with it, in the same transaction, what is true for the person at once. `id`: of a caller
    /// who may repeat the call.
    func enqueue(
        _ payload: OutboxPayload, in conversation: Conversation.ID?, id: String? = nil,
        with body: (inout Change) throws -> Void = { _ in }
    ) throws -> String {
        let record = try record(of: payload, in: conversation, id: id)
        try ingest.change(account.id) { change in
            try change.transaction.enqueue(record)
            try body(&change)
        }
        work.advance()
        return record.id
    }

    /// Keeps what is not sent before the person says so, and has them told why.
    func keep(_ payload: OutboxPayload, in conversation: Conversation.ID, because reason: String) throws {
        var record = try record(of: payload, in: conversation)
        (record.state, record.error, record.isTold) = (.failed, reason, false)
        _ = try ingest.change(account.id) { try $0.transaction.enqueue(record) }
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

    /// The connection is back: what waits for its next attempt goes now, but for what is held.
    func sendNow() throws {
        isRefused = false
        let (uptime, now) = (surroundings.uptime, surroundings.now())
        holds = holds.filter { $0.value > uptime }
        try ingest.store.write { transaction in
            try transaction.hastenOutbox(account.id)
            for (id, end) in holds {
                guard var item = try transaction.outboxItem(id), item.state == .waiting else { continue }
                item.nextAttemptAt = now + (end - uptime)
                try transaction.update(item)
            }
        }
        work.advance()
    }

    /// How the item ended; nil where it still waits after `limit`.
    func outcome(of id: String, within limit: Duration) async throws -> Outcome? {
        try await outcomes.outcome(of: id, within: limit)
    }

    /// Sends until it is cancelled.
    func run() async throws {
        try ingest.store.write { try $0.restartOutbox(account.id) }
        while true {
            let seen = work.value
            if isRefused || isEnding {
                try await work.passed(seen)
            } else if case let left = rest - surroundings.uptime, left > .zero {
                try await surroundings.wait(for: work, past: seen, atMost: left)
            } else if let item = try ingest.store.read({
                try $0.nextOutbox(account: account.id, now: surroundings.now())
            }) {
                try await send(item)
            } else {
                let time = try ingest.store.read { try $0.nextOutboxTime(account: account.id) }
                try await surroundings.wait(
                    for: work, past: seen, atMost: time.map(surroundings.wait(until:)))
            }
        }
    }

    /// Takes up nothing more, and returns when what is on its way has arrived or failed, at the latest after
    /// `limit`.
    func finish(within limit: Duration) async throws {
        isEnding = true
        _ = try await surroundings.within(limit) {
            while self.isDelivering { try await self.deliveries.passed(self.deliveries.value) }
        }
    }

    private func send(_ item: OutboxRecord) async throws {
        var item = item
        do {
            try await register()
            if isEnding { return }
            isDelivering = true
            defer {
                isDelivering = false
                deliveries.advance()
            }
            item.state = .sending
            // It may have been taken out while the device was registered.
            guard try ingest.store.write({ try $0.update(item) }) else { return }
            let (conversation, message) = try await deliver(item, afterDoubt: item.isAmbiguous)
            refusals = 0
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

    func forgetOutcome(of id: String) { outcomes.forget(id) }

    func isAwaited(_ id: String) -> Bool { outcomes.isAwaited(id) }

    func end(_ id: String, _ outcome: Outcome) { outcomes.add(outcome, of: id) }
}
