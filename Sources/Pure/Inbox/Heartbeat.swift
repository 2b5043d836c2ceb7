/// Learns how often a server says that it is alive, to know when its silence means a dead line.
public struct Heartbeat: Sendable {
    /// What the API contract promises at the least.
    public static let promised: Duration = .seconds(25)
    private var gaps = 0
    private var largestGap: Duration = .zero

    public init() {}

    /// A comment came `gap` after the one before it, or after the start of the stream. Those that come
    /// together, such as padding against proxies, tell nothing of the pace.
    public mutating func comment(after gap: Duration) {
        guard gap >= .milliseconds(100) else { return }
        gaps += 1
        largestGap = max(largestGap, gap)
    }

    /// Once two gaps were seen, the largest of them; until then what is promised.
    public var interval: Duration {
        gaps < 2 ? Self.promised : max(largestGap, .seconds(2))
    }

    /// How long a line may be silent before it counts as dead.
    public var silenceLimit: Duration { interval * 5 / 2 }
}
