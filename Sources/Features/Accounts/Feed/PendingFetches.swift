import CutieAPI
import FeedPolicy
package import Reasons

/// The conversations with a pending fetch. The fetch of each conversation is retried separately, with
/// backoff.
package struct PendingFetches {
    struct Entry {
        /// The conversation's last state in a list; `nil` if a previous run stored the entry.
        var listed: Conversation?
        /// Whether the first sync listed the conversation. If so, its messages that are already read are
        /// not announced.
        var isFirst = false
        /// Whether the fetch only adds the facts about the app's user to a stored conversation.
        var isForUserFacts = false
        /// The time of the next attempt on the `uptime` clock.
        var due: Duration
        var failures = 0
    }

    /// The maximum backoff. Retries cause the same load on the server as reconnections, so the limit is the
    /// same.
    private static let maxWait: Duration = .seconds(300)
    /// The initial and the maximum backoff after a refusal. The backoff is longer than after other failures,
    /// because the server will probably refuse the fetch again.
    private static let (refusalWait, maxRefusalWait): (Duration, Duration) = (
        .seconds(60), .seconds(3600)
    )

    private(set) var entries: [Conversation.ID: Entry] = [:]
    /// The uptime until which the server's `Retry-After` delays all fetches.
    private(set) var backoffEnd = Duration.zero
    /// The reason for the last failure; `nil` if there was none.
    private(set) var reason: Reason?
    private(set) var isLoaded = false

    var isEmpty: Bool { entries.isEmpty }

    /// The time of the next attempt of any fetch on the `uptime` clock; `nil` if no fetch is pending.
    var due: Duration? { entries.values.map(\.due).min().map { max($0, backoffEnd) } }

    /// Returns the conversations to fetch at `now`, ordered by the number of failures and then by time; none
    /// during the backoff.
    func dueConversations(at now: Duration) -> [Conversation.ID] {
        guard backoffEnd <= now else { return [] }
        return entries.filter { $0.value.due <= now }
            .sorted { ($0.value.failures, $0.value.due) < ($1.value.failures, $1.value.due) }
            .map(\.key)
    }

    func isBackingOff(_ id: Conversation.ID, at now: Duration) -> Bool {
        backoffEnd > now || entries[id].map { $0.due > now } ?? false
    }

    mutating func load(_ storedFetches: [(id: Conversation.ID, isFirst: Bool)]) {
        isLoaded = true
        for (id, isFirst) in storedFetches { entries[id] = Entry(isFirst: isFirst, due: .zero) }
    }

    /// Adds a conversation that was not fetched yet. If an entry exists, the time of its next attempt does
    /// not change.
    mutating func add(
        _ id: Conversation.ID, listedVersion: Conversation?, isFirstSync: Bool, at now: Duration
    ) {
        var entry = entries[id] ?? Entry(isFirst: isFirstSync, due: now)
        entry.listed = listedVersion ?? entry.listed
        if listedVersion != nil { entry.isForUserFacts = false }
        entries[id] = entry
    }

    /// Adds a conversation that lacks the facts about the app's user. Has no effect if an entry exists.
    mutating func addForUserFacts(_ id: Conversation.ID, at now: Duration) {
        if entries[id] == nil { entries[id] = Entry(isForUserFacts: true, due: now) }
    }

    /// Records that a conversation could not be fetched, and schedules the next attempt.
    mutating func recordFailure(
        of id: Conversation.ID, because reason: Reason, at now: Duration, random: Double
    ) {
        postpone(id, because: reason, at: now, backoff: Backoff(cap: Self.maxWait), jitter: random)
    }

    /// Records that the server refused a conversation, and schedules the next attempt.
    mutating func recordRefusal(
        of id: Conversation.ID, because reason: Reason, at now: Duration, random: Double
    ) {
        let backoff = Backoff(base: Self.refusalWait, cap: Self.maxRefusalWait)
        postpone(
            id, because: reason, at: now, minimumDelay: Self.refusalWait, backoff: backoff, jitter: random)
    }

    private mutating func postpone(
        _ id: Conversation.ID, because reason: Reason, at now: Duration, minimumDelay: Duration = .zero,
        backoff: Backoff, jitter: Double
    ) {
        self.reason = reason
        guard var entry = entries[id] else { return }
        var backoff = Backoff(base: backoff.base, cap: backoff.cap, failures: entry.failures)
        entry.due = now + min(minimumDelay + backoff.nextDelay(random: jitter), backoff.cap)
        entry.failures = backoff.failures
        entries[id] = entry
    }

    /// Delays all fetches until `time`, as the server requested.
    mutating func backOff(until time: Duration) { backoffEnd = max(backoffEnd, time) }

    mutating func remove(_ id: Conversation.ID) {
        entries[id] = nil
        if entries.isEmpty { reason = nil }
    }

    /// Makes all pending attempts due at `time` at the latest. Called after a reconnection, because the
    /// server may have recovered.
    mutating func makeAllAttemptsDue(by time: Duration) {
        for (id, entry) in entries { entries[id]?.due = min(entry.due, time) }
    }

    /// The warning for the status; `nil` if no fetch has failed.
    package var warning: Reason? {
        guard let reason else { return nil }
        guard entries.count > 1 else { return Reason(.conversationUnfetched, because: reason) }
        return Reason(.conversationsUnfetched, ["count": String(entries.count)], because: reason)
    }
}
