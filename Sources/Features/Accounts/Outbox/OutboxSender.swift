import CutieAPI
import EventLog
import FeedPolicy
import Logging
@_spi(Accounts) import Store

/// Sends the pending items of one account's outbox, and handles failures.
final class OutboxSender {
    private let account: Account
    private let client: APIClient
    private let ingest: Ingest
    private let runtime: RuntimeEnvironment
    private let logger: Logger
    private let authorizer: any Authorizer
    private let outcomes: OutboxResults
    private let onFailures: () -> Void
    private let work = ChangeSignal()
    /// Notified when a delivery has succeeded or failed.
    private let deliveries = ChangeSignal()
    private var isDelivering = false
    /// Whether the sender is stopping and starts no further deliveries.
    private var isEnding = false
    var pauses = OutboxPauses()
    var onRefused: () -> Void = {}

    init(
        account: Account, client: APIClient, authorizer: any Authorizer, ingest: Ingest,
        outcomes: OutboxResults, runtime: RuntimeEnvironment, logger: Logger,
        onFailures: @escaping () -> Void
    ) {
        (self.account, self.client, self.authorizer) = (account, client, authorizer)
        (self.ingest, self.outcomes, self.runtime) = (ingest, outcomes, runtime)
        self.onFailures = onFailures
        var logger = logger
        logger[metadataKey: "account"] = "\(account.name)"
        self.logger = logger
    }

    func wake() { work.notify() }

    func run() async throws {
        try ingest.store.write { try $0.outbox.requeueInterruptedItems(of: account.id) }
        while true {
            let seen = work.count
            if pauses.isRefused || isEnding {
                try await work.wait(past: seen)
            } else if let left = pauses.remainingDelay(at: runtime.uptime) {
                try await runtime.wait(for: work, past: seen, atMost: left)
            } else if let item = try ingest.store.read({
                try $0.outbox.fetchNext(of: account.id, at: runtime.now())
            }) {
                try await send(item)
            } else {
                let time = try ingest.store.read { try $0.outbox.fetchNextAttemptTime(of: account.id) }
                try await runtime.wait(
                    for: work, past: seen, atMost: time.map(runtime.duration(until:)))
            }
        }
    }

    func drain(within limit: Duration) async throws {
        isEnding = true
        _ = try await runtime.withTimeout(limit) {
            while self.isDelivering { try await self.deliveries.wait(past: self.deliveries.count) }
        }
    }

    /// If an attempt to send the item is in progress, waits until the attempt has ended, at most for
    /// `limit`.
    func waitForAttempt(of id: String, within limit: Duration) async throws {
        _ = try await runtime.withTimeout(limit) {
            while try self.ingest.store.read({ try $0.outbox.findItem(id) })?.state == .sending {
                try await self.deliveries.wait(past: self.deliveries.count)
            }
        }
    }

    func sendAfterReconnect() throws {
        let (uptime, now) = (runtime.uptime, runtime.now())
        let earliestSendTimes = pauses.resumeAfterReconnect(at: uptime)
        try ingest.store.write { transaction in
            try transaction.outbox.clearRetryDelays(of: account.id)
            for (id, end) in earliestSendTimes {
                guard var item = try transaction.outbox.findItem(id), item.state == .waiting else { continue }
                item.nextAttemptAt = now + (end - uptime)
                try transaction.outbox.update(item)
            }
        }
        wake()
    }

    private func send(_ item: OutboxRecord) async throws {
        var item = item
        do {
            try await ensureCredentials()
            if isEnding { return }
            isDelivering = true
            defer {
                isDelivering = false
                deliveries.notify()
            }
            item.state = .sending
            // Do not send an item that was removed from the outbox after this task read the item.
            guard try ingest.store.write({ try $0.outbox.update(item) }) else { return }
            let delivery = Delivery(
                of: item, account: account, client: client, ingest: ingest, runtime: runtime)
            let (conversation, message) = try await delivery.send(mayHaveArrived: item.isAmbiguous)
            pauses.recordSuccess()
            outcomes.recordOutcome(.sent(conversation, message), of: item.id)
        } catch APIFailure.cancelled {
            throw CancellationError()
        } catch let failure as APIFailure {
            try handleFailure(of: item, failure: failure)
        }
    }

    /// Obtains credentials. Converts `forbidden` to `unauthorized`, because this refusal concerns the
    /// account, not the outbox item.
    private func ensureCredentials() async throws(APIFailure) {
        do throws(APIFailure) {
            try await authorizer.ensureCredentials(using: client)
        } catch {
            if case .forbidden(let reason) = error { throw .unauthorized(reason) }
            throw error
        }
    }
}

// MARK: - Failed deliveries

extension OutboxSender {
    private func handleFailure(of item: OutboxRecord, failure: APIFailure) throws {
        var item = item
        item.error = failure.reason
        item.attempts += 1
        let (uptime, random) = (runtime.uptime, runtime.random())
        switch failure {
        case .retry(_, let floor, let ambiguous):
            item.isAmbiguous = item.isAmbiguous || ambiguous
            let wait = pauses.recordFailure(
                of: item.id, failureCount: item.attempts, minimumDelay: floor, at: uptime, random: random)
            try postpone(item, for: wait)
        case .unauthorized:
            let wait = pauses.recordRefusal(
                of: item.id, failureCount: item.attempts, at: uptime, random: random)
            onRefused()
            outcomes.recordOutcome(.failed(failure), of: item.id)
            try postpone(item, for: wait)
        default: try markFailed(item, because: failure)
        }
    }

    private func postpone(_ item: OutboxRecord, for delay: Duration) throws {
        var item = item
        item.state = .waiting
        item.nextAttemptAt = runtime.now() + delay
        // Notify watchers only of the first failed attempt.
        if item.attempts == 1, item.readBound == nil {
            try ingest.log(.state) { _ = try $0.outbox.update(item) }
        } else {
            _ = try ingest.store.write { try $0.outbox.update(item) }
        }
    }

    /// Marks the item as failed. A message stays in the outbox until the user retries or cancels it. A
    /// mark-read item is deleted, because the next poll restores the unread count of the server.
    private func markFailed(_ item: OutboxRecord, because failure: APIFailure) throws {
        var item = item
        item.state = .failed
        item.isReported = outcomes.isAwaited(item.id)
        if item.readBound != nil {
            _ = try ingest.store.write { try $0.outbox.remove(item.id) }
        } else {
            // Notify watchers that the user must handle the item.
            try ingest.log(.state) { _ = try $0.outbox.update(item) }
        }
        logger.error(
            "cannot be sent", metadata: ["outbox": "\(item.id)", "reason": "\(failure.sentence)"])
        outcomes.recordOutcome(.failed(failure), of: item.id)
        onFailures()
    }
}

/// The conditions that delay deliveries: refusals by the API, and the earliest times at which items may
/// be sent. All times are monotonic (`uptime`).
struct OutboxPauses {
    /// Whether the API refuses the account. If so, nothing is sent until a new connection succeeds.
    private(set) var isRefused = false
    /// The number of refusals since the last successful delivery.
    private(set) var refusals = 0
    /// The earliest time of the next delivery.
    private var pausedUntil = Duration.zero
    /// The earliest send time of each item with a Retry-After or a refusal. A reconnection does not shorten
    /// this delay.
    private var earliestSendTimes: [String: Duration] = [:]

    /// Returns the time until the next delivery may start; `nil` if it may start now.
    func remainingDelay(at now: Duration) -> Duration? { pausedUntil > now ? pausedUntil - now : nil }

    /// Records a failed attempt, and returns the backoff of an item that has failed `failureCount` times.
    /// `minimumDelay`: the server's Retry-After, which a reconnection does not shorten.
    mutating func recordFailure(
        of id: String, failureCount: Int, minimumDelay: Duration?, at now: Duration, random: Double
    ) -> Duration {
        let wait = Self.retryDelay(afterFailures: failureCount, minimumDelay: minimumDelay, jitter: random)
        if minimumDelay != nil { earliestSendTimes[id] = now + wait }
        return wait
    }

    /// Records that the API refused the account, and returns the backoff of the item. The other items are
    /// delayed only half as long and are sent first, because the API may refuse only this item. If the API
    /// refuses all items, the backoff grows with each refusal.
    mutating func recordRefusal(of id: String, failureCount: Int, at now: Duration, random: Double)
        -> Duration
    {
        refusals += 1
        let wait = Self.retryDelay(afterFailures: max(refusals, failureCount), jitter: random)
        (earliestSendTimes[id], pausedUntil) = (now + wait, now + wait / 2)
        isRefused = true
        return wait
    }

    mutating func recordSuccess() { refusals = 0 }

    /// Allows items to be sent again after a reconnection. Returns the items whose delay has not passed, with
    /// their earliest send times.
    mutating func resumeAfterReconnect(at now: Duration) -> [String: Duration] {
        isRefused = false
        earliestSendTimes = earliestSendTimes.filter { $0.value > now }
        return earliestSendTimes
    }

    /// Allows the item to be sent now, as the user requested.
    mutating func clearDelay(of id: String) { (earliestSendTimes[id], pausedUntil) = (nil, .zero) }

    /// Allows all items to be sent now, as the user requested.
    mutating func clearAllDelays() { (earliestSendTimes, pausedUntil) = ([:], .zero) }

    private static func retryDelay(afterFailures failures: Int, minimumDelay: Duration? = nil, jitter: Double)
        -> Duration
    {
        var backoff = Backoff(failures: failures - 1)
        return backoff.nextDelay(random: jitter, minimumDelay: minimumDelay)
    }
}
