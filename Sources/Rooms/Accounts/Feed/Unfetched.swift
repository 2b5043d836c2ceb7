import CutieAPI
import Inbox

/// The conversations that were listed and could not be fetched. Each is asked for again by itself, less and
/// less often.
package struct Unfetched {
    struct Entry {
        /// As a list showed it last; nil: an earlier run did.
        var listed: Conversation?
        /// A first sync listed it: what was read in it is no news.
        var isFirst = false
        /// Asked for again then, of `uptime`.
        var due: Duration
        var failures = 0
    }

    /// What is asked for is a server's burden, as a connection is: no more often than every 5 minutes in the end.
    private static let longestWait: Duration = .seconds(300)
    /// A conversation that the server refuses is not likely to be given soon.
    private static let (refusalWait, longestRefusalWait): (Duration, Duration) = (
        .seconds(60), .seconds(3600)
    )

    private(set) var entries: [Conversation.ID: Entry] = [:]
    /// The server wants to be asked for none before that, of `uptime`.
    private(set) var rest = Duration.zero
    /// Of the last failure.
    private(set) var reason: String?
    /// What an earlier run left is among them.
    private(set) var isRecalled = false

    var isEmpty: Bool { entries.isEmpty }

    /// When the next one is due, of `uptime`; nil where none is missing.
    var due: Duration? { entries.values.map(\.due).min().map { max($0, rest) } }

    /// Those to ask for at `now`: who was not asked for yet goes before who failed.
    func due(at now: Duration) -> [Conversation.ID] {
        guard rest <= now else { return [] }
        return entries.filter { $0.value.due <= now }
            .sorted { ($0.value.failures, $0.value.due) < ($1.value.failures, $1.value.due) }
            .map(\.key)
    }

    func isResting(_ id: Conversation.ID, at now: Duration) -> Bool {
        rest > now || entries[id].map { $0.due > now } ?? false
    }

    mutating func recall(_ left: [(id: Conversation.ID, isFirst: Bool)]) {
        isRecalled = true
        for (id, isFirst) in left { entries[id] = Entry(isFirst: isFirst, due: .zero) }
    }

    /// Waits without having been asked for. A list may show it anew; when it is due stays.
    mutating func add(_ id: Conversation.ID, listed: Conversation?, isFirst: Bool, at now: Duration) {
        var entry = entries[id] ?? Entry(isFirst: isFirst, due: now)
        entry.listed = listed ?? entry.listed
        entries[id] = entry
    }

    /// Notes one more failure of a conversation that was added.
    mutating func fail(_ id: Conversation.ID, because reason: String, at now: Duration, random: Double) {
        postpone(id, because: reason, at: now, by: Backoff(cap: Self.longestWait), random)
    }

    /// Notes that the server refused a conversation.
    mutating func refuse(_ id: Conversation.ID, because reason: String, at now: Duration, random: Double) {
        let backoff = Backoff(base: Self.refusalWait, cap: Self.longestRefusalWait)
        postpone(id, because: reason, at: now, atLeast: Self.refusalWait, by: backoff, random)
    }

    private mutating func postpone(
        _ id: Conversation.ID, because reason: String, at now: Duration, atLeast least: Duration = .zero,
        by backoff: Backoff, _ random: Double
    ) {
        self.reason = reason
        guard var entry = entries[id] else { return }
        var backoff = Backoff(base: backoff.base, cap: backoff.cap, failures: entry.failures)
        entry.due = now + min(least + backoff.next(random: random), backoff.cap)
        entry.failures = backoff.failures
        entries[id] = entry
    }

    /// The server asked for it, and for all of them.
    mutating func rest(until time: Duration) { rest = max(rest, time) }

    mutating func remove(_ id: Conversation.ID) {
        entries[id] = nil
        if entries.isEmpty { reason = nil }
    }

    /// A connection made anew may be to a server that is well again.
    mutating func hasten(to time: Duration) {
        for (id, entry) in entries { entries[id]?.due = min(entry.due, time) }
    }

    /// What the status says of it.
    package var warning: String? {
        guard let reason else { return nil }
        let what = entries.count == 1 ? "1 conversation" : "\(entries.count) conversations"
        return "\(what) cannot be fetched (\(reason)); asked for again by itself"
    }
}
