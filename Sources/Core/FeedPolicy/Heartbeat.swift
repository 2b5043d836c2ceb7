/// The observed interval between a server's keep-alive comments, used to detect a dead connection.
public struct Heartbeat: Sendable {
    /// The maximum interval between comments, as guaranteed by the API contract.
    public static let promisedInterval: Duration = .seconds(25)
    private var gaps = 0
    private var maxGap: Duration = .zero

    public init() {}

    /// Records a comment. Ignores comments in quick succession, which servers send as padding to fill the
    /// buffers of proxies.
    ///
    /// - Parameter gap: the time since the previous comment or the start of the stream.
    public mutating func recordComment(after gap: Duration) {
        guard gap >= .milliseconds(100) else { return }
        gaps += 1
        maxGap = max(maxGap, gap)
    }

    /// The longest observed gap between comments, at least 2 s. Until two gaps have been observed, the
    /// guaranteed interval is used.
    public var interval: Duration {
        gaps < 2 ? Self.promisedInterval : max(maxGap, .seconds(2))
    }

    /// The silence after which a connection is considered dead.
    public var silenceLimit: Duration { interval * 5 / 2 }
}
