/// The observed interval of a server's keep-alive comments, used to detect a dead connection.
public struct Heartbeat: Sendable {
    /// The interval that the API contract guarantees.
    public static let promisedInterval: Duration = .seconds(25)
    private var gaps = 0
    private var maxGap: Duration = .zero

    public init() {}

    /// Records a comment. Ignores comments in quick succession, such as padding against proxies.
    ///
    /// - Parameter gap: the time since the previous comment or the start of the stream.
    public mutating func recordComment(after gap: Duration) {
        guard gap >= .milliseconds(100) else { return }
        gaps += 1
        maxGap = max(maxGap, gap)
    }

    /// The longest observed gap; the guaranteed interval before two gaps were observed.
    public var interval: Duration {
        gaps < 2 ? Self.promisedInterval : max(maxGap, .seconds(2))
    }

    /// The time without data after which a connection is considered dead.
    public var silenceLimit: Duration { interval * 5 / 2 }
}
