import CutieAPI
import EventLog
import FeedPolicy
import Logging
import Reasons
import Store

/// Fetches the conversations that a list or an event names. A conversation that cannot be fetched does not
/// block the other conversations: its fetch stays pending, even across restarts, and is retried separately.
final class ConversationFetcher {
    /// The maximum delay before pending fetches are retried after a reconnection. Longer backoffs are
    /// shortened to this delay, because the server may have recovered.
    private static let maximumDelayAfterReconnect: Duration = .seconds(30)

    private let account: Account
    private let client: APIClient
    private let ingest: Ingest
    private let runtime: RuntimeEnvironment
    private let logger: Logger
    private(set) var pendingFetches = PendingFetches()
    /// Notified when a conversation could not be fetched, or is to be fetched in the background.
    private let failures = ChangeSignal()

    init(
        account: Account, client: APIClient, ingest: Ingest, runtime: RuntimeEnvironment, logger: Logger
    ) {
        (self.account, self.client, self.ingest) = (account, client, ingest)
        (self.runtime, self.logger) = (runtime, logger)
    }

    /// Fetches listed conversations, except those in backoff. Throws if the server is unavailable for all
    /// requests.
    func fetchListedConversations(_ requests: [FetchRequest]) async throws {
        let now = runtime.uptime
        let resting = Set(requests.map(\.id).filter { pendingFetches.isBackingOff($0, at: now) })
        try recordPendingFetches(requests.filter { resting.contains($0.id) })
        try await fetch(requests.filter { !resting.contains($0.id) }, throwsIfServerUnavailable: true)
    }

    /// Fetches the server's current state of conversations for which an event may be older than the stored
    /// state. Failed fetches are retried.
    func refetchConversations(_ ids: [Conversation.ID]) async throws {
        let requests = ids.map {
            FetchRequest($0, entry: pendingFetches.entries[$0] ?? PendingFetches.Entry(due: .zero))
        }
        try await fetch(requests, throwsIfServerUnavailable: false)
    }

    /// Schedules fetches of conversations, which run in the background and add the facts about their users.
    /// A refused fetch is not
    /// repeated. The requests are not stored on disk, so that notifications are not delayed: after a restart,
    /// a poll detects that these conversations were never fetched.
    func scheduleUserFactFetches(for ids: [Conversation.ID]) {
        for id in ids { pendingFetches.addForUserFacts(id, at: runtime.uptime) }
        failures.notify()
    }

    /// Fetches a conversation. `listedVersion`: the conversation's last state in a list. If events are
    /// applied while
    /// the request is in flight, the response is outdated: it must not mark the messages of these events as
    /// read, and the conversation is fetched again.
    func fetch(_ id: Conversation.ID, listedVersion: Conversation? = nil, isFirstSync: Bool = false)
        async throws
    {
        let isFirstSync = isFirstSync || pendingFetches.entries[id]?.isFirst == true
        let asked = try ingest.findConversation(id, of: account.id)
        let fetched = try await client.send(.conversation(id))
        let isOutdated = try ingest.findConversation(id, of: account.id) != asked
        // The conversation is fetched again later. Skip this outdated response for a conversation of the
        // first sync, because the counts in the response do not show which messages are old.
        if isOutdated, isFirstSync, try isFirstSyncComplete() { return }
        try await ingest.applyFetchedInSlices(
            fetched, listedVersion: listedVersion ?? fetched, account: account.id, isFirstSync: isFirstSync,
            isOutdated: isOutdated)
        if !isOutdated { try removePendingFetch(of: id) }
    }

    private func isFirstSyncComplete() throws -> Bool {
        try ingest.store.read { try $0.accounts.find(account.id)?.syncedAt } != nil
    }
}

// MARK: - Rounds of fetches

extension ConversationFetcher {
    /// The limits of a round of fetches. The remaining conversations are fetched in the next round.
    private struct FetchBudget {
        /// The maximum number of failed fetches, which limits the requests to a server that fails for every
        /// conversation.
        private static let maxFailures = 10
        /// The maximum total time spent on failed fetches, which delay other work, such as applying events.
        private static let maxDuration: Duration = .seconds(10)
        private(set) var failures = 0
        private var lost = Duration.zero

        var isExhausted: Bool { failures >= Self.maxFailures || lost >= Self.maxDuration }

        mutating func countFailure(lasting duration: Duration) {
            failures += 1
            lost += duration
        }
    }

    /// Fetches conversations. Failed requests are recorded and retried later. Returns the number of fetched
    /// conversations, and whether the round ended early. `throwsIfServerUnavailable`: whether to throw an
    /// error after the first failure if listing conversations fails too, because the
    /// server is then unavailable for all requests.
    @discardableResult
    private func fetch(_ requests: [FetchRequest], throwsIfServerUnavailable: Bool) async throws -> (
        fetched: Int, isTruncated: Bool
    ) {
        var (patience, fetched) = (FetchBudget(), 0)
        for (place, item) in requests.enumerated() {
            let begun = runtime.uptime
            guard !patience.isExhausted, pendingFetches.backoffEnd <= begun else {
                try recordPendingFetches(requests[place...])
                return (fetched, true)
            }
            do {
                try await fetch(item)
                fetched += 1
            } catch APIFailure.retry(let reason, let floor, _) {
                // Check whether listing conversations fails too. If so, the server is unavailable for all
                // requests, and the error of the list ends this round.
                if throwsIfServerUnavailable, floor == nil, patience.failures == 0 {
                    _ = try await client.listConversations(limit: 1, offset: 0, etag: nil)
                }
                try postpone(item, reason: reason, minimumDelay: floor)
                patience.countFailure(lasting: runtime.uptime - begun)
            }
        }
        return (fetched, false)
    }

    private func fetch(_ item: FetchRequest) async throws {
        if pendingFetches.entries[item.id]?.isForUserFacts == true, item.listed == nil {
            return try await fetchIfUserFactsMissing(item)
        }
        do {
            try await fetch(item.id, listedVersion: item.listed, isFirstSync: item.isFirst)
        } catch APIFailure.absent(let reason) {
            logger.info("a conversation no longer exists", metadata: ["reason": "\(reason)"])
            try ingest.markDeletedConversationAsRead(item.id, of: account.id)
            try removePendingFetch(of: item.id)
        } catch APIFailure.fatal(let reason, _) {
            try recordRefusal(of: item, reason: reason)
        } catch APIFailure.forbidden(let reason) {
            try recordRefusal(of: item, reason: reason)
        }
    }

    /// Fetches a conversation, unless another response already contained the facts about the app's user. If
    /// the server refuses the request, the stored conversation stays unchanged: its messages must not be
    /// marked as read, because the server may not return a new conversation yet.
    private func fetchIfUserFactsMissing(_ item: FetchRequest) async throws {
        guard let stored = try ingest.findConversation(item.id, of: account.id),
            stored.conversation.lacksUserFacts
        else { return pendingFetches.remove(item.id) }
        do {
            try await fetch(item.id)
        } catch APIFailure.absent(let reason), APIFailure.fatal(let reason, _),
            APIFailure.forbidden(let reason)
        {
            logger.info(
                "the facts about a user could not be fetched", metadata: ["reason": "\(reason)"])
            pendingFetches.remove(item.id)
        }
    }

    /// Retries failed fetches until cancelled. Calls `onSynced` if a conversation of the first sync was
    /// fetched.
    func retryFailedFetches(onSynced: () -> Void) async throws {
        pendingFetches.makeAllAttemptsDue(by: runtime.uptime + Self.maximumDelayAfterReconnect)
        var backoff = Backoff()
        var pause = Duration.zero
        while true {
            let seen = failures.count
            guard let due = pendingFetches.due else {
                backoff.reset()
                try await failures.wait(past: seen)
                continue
            }
            let wait = max(due - runtime.uptime, pause)
            if wait > .zero { try await runtime.wait(for: failures, past: seen, atMost: wait) }
            if failures.count != seen { continue }
            pause = try await fetchDueConversations(
                at: max(due, runtime.uptime), backoff: &backoff, onSynced: onSynced)
        }
    }

    /// Fetches the conversations that are due. Returns the time until the next round: a backoff if the round
    /// ended early without success, otherwise zero.
    private func fetchDueConversations(
        at now: Duration, backoff: inout Backoff, onSynced: () -> Void
    ) async throws -> Duration {
        let requests = pendingFetches.dueConversations(at: now).compactMap { id in
            pendingFetches.entries[id].map { FetchRequest(id, entry: $0) }
        }
        do {
            // Do not throw if the server is unavailable, because the feed detects a broken connection.
            let round = try await fetch(requests, throwsIfServerUnavailable: false)
            if round.fetched > 0 {
                backoff.reset()
                if requests.contains(where: \.isFirst) { onSynced() }
            } else if round.isTruncated {
                return backoff.nextDelay(random: runtime.random())
            }
            return .zero
        } catch APIFailure.retry(let reason, let floor, _) {
            // Do not end the connection, because it still receives events.
            logger.info("missing messages will be fetched later", metadata: ["reason": "\(reason)"])
            return backoff.nextDelay(random: runtime.random(), minimumDelay: floor)
        }
    }
}

// MARK: - Pending fetches

extension ConversationFetcher {
    /// Loads the pending fetches of the previous run.
    func loadPendingFetches() throws {
        guard !pendingFetches.isLoaded else { return }
        pendingFetches.load(try ingest.store.read { try $0.unfetched.fetchAll(of: account.id) })
    }

    /// Stores pending fetches of conversations, with their last state in a list.
    private func recordPendingFetches(_ requests: some Collection<FetchRequest>) throws {
        let new = requests.filter { item in
            pendingFetches.entries[item.id].map { $0.isForUserFacts && item.listed != nil } ?? true
        }
        if !new.isEmpty { try ingest.recordPendingFetches(new, of: account.id) }
        let now = runtime.uptime
        for item in requests {
            pendingFetches.add(item.id, listedVersion: item.listed, isFirstSync: item.isFirst, at: now)
        }
        if !new.isEmpty { failures.notify() }
    }

    private func postpone(_ item: FetchRequest, reason: Reason, minimumDelay: Duration?) throws {
        try recordPendingFetches([item])
        logFailedFetch(of: item.id, reason: reason)
        let now = runtime.uptime
        pendingFetches.recordFailure(of: item.id, because: reason, at: now, random: runtime.random())
        if let minimumDelay {
            var backoff = Backoff()
            pendingFetches.backOff(
                until: now + backoff.nextDelay(random: runtime.random(), minimumDelay: minimumDelay))
        }
    }

    private func recordRefusal(of item: FetchRequest, reason: Reason) throws {
        try recordPendingFetches([item])
        logFailedFetch(of: item.id, reason: reason)
        pendingFetches.recordRefusal(
            of: item.id, because: reason, at: runtime.uptime, random: runtime.random())
    }

    /// Removes a pending fetch after the conversation was fetched or was found deleted.
    private func removePendingFetch(of id: Conversation.ID) throws {
        guard pendingFetches.entries[id] != nil else { return }
        try ingest.removePendingFetch(of: id, in: account.id)
        pendingFetches.remove(id)
    }

    /// Logs only the first failure of a conversation: retries may continue for days.
    private func logFailedFetch(of id: Conversation.ID, reason: Reason) {
        guard pendingFetches.entries[id]?.failures == 0 else { return }
        logger.warning("a conversation could not be fetched", metadata: ["reason": "\(reason)"])
    }
}

extension FetchRequest {
    fileprivate init(_ id: Conversation.ID, entry: PendingFetches.Entry) {
        self.init(id, listed: entry.listed, isFirst: entry.isFirst)
    }
}
