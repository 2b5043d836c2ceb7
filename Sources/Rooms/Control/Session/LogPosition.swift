import ControlAPI

/// How much of the log was seen, so that a watcher that lost its daemon goes on where it was.
struct LogPosition: Hashable, Sendable {
    /// What to ask for: nil, where nothing was seen and nothing was asked for.
    private(set) var since: Int64?

    init(since: Int64?) { self.since = since }

    /// A snapshot tells the head, which lies after entries that are still to come: it only counts
    /// where nothing was asked for.
    mutating func pass(_ entry: Watch.Reply) {
        if entry.type != "snapshot" || since == nil { since = entry.sequence }
    }
}
