/// Learns how often a server says that it is alive, to know when its silence means a dead line.
public struct Heartbeat: Sendable {
    /// What the API contract promises at the least.
    public static let promised: Duration = .seconds(25)
    private var comments = 0
    private var largestGap: Duration = .zero

    public init() {}

    /// A comment came `gap` after the one before it, or after the start of the stream.
    public mutating func comment(after gap: Duration) {
        comments += 1
        if comments > 1 { largestGap = max(largestGap, gap) }
    }

    /// Once two comments came, the largest gap seen between them; until then what is promised.
    public var interval: Duration {
        comments < 2 ? Self.promised : max(largestGap, .seconds(2))
    }

    /// How long a line may be silent before it counts as dead.
    public var silenceLimit: Duration { interval * 5 / 2 }
}
