internal import CutieAPI

/// The delays between attempts: exponential backoff with full jitter. The jitter is applied after the cap:
/// otherwise, after a long outage, all clients would reconnect simultaneously, after exactly the maximum
/// delay.
public struct Backoff: Sendable {
    public let base: Duration
    public let cap: Duration
    /// The number of failures since the last reset.
    public private(set) var failures: Int
    /// Whether `ReconnectSpread` determines the delays.
    private let isSpread: Bool
    /// The sum of the delays since the last reset.
    private var elapsed: Duration = .zero

    public init(base: Duration = .seconds(1), cap: Duration = .seconds(300), failures: Int = 0) {
        self.base = base
        self.cap = cap
        self.failures = failures
        isSpread = false
    }

    private init(spread: Void) {
        (base, cap, failures, isSpread) = (.seconds(1), ReconnectSpread.cap, 0, true)
    }

    /// The backoff for connections to the API, whose clients may all lose the connection simultaneously.
    public static var reconnecting: Backoff { Backoff(spread: ()) }

    /// Records a failure and returns the delay before the next attempt.
    ///
    /// - Parameters:
    ///   - random: uniform in 0..<1.
    ///   - minimumDelay: the delay from the server's `Retry-After`; `nil` if the server sent none.
    public mutating func nextDelay(random: Double, minimumDelay: Duration? = nil) -> Duration {
        let delay = delay(random: random, minimumDelay: minimumDelay)
        failures += 1
        elapsed += delay
        return delay
    }

    private func delay(random: Double, minimumDelay: Duration?) -> Duration {
        let ceiling = min(cap, max(base * (1 << min(failures, 20)), minimumDelay ?? .zero))
        if let minimumDelay, minimumDelay > .zero {
            return Self.randomDelay(from: minimumDelay, spreadOver: ceiling, random: random)
        }
        guard isSpread else { return max(Self.shortest, ceiling * random) }
        let range = ReconnectSpread.delayRange(failures: failures, elapsed: elapsed)
        return range.lowerBound + (range.upperBound - range.lowerBound) * random
    }

    private static let shortest = ReconnectSpread.shortest
    /// The minimum range over which reconnects are spread, even if the server requests the maximum delay.
    private static let minSpread: Duration = .seconds(60)

    /// Returns a random delay from `minimum` to `minimum + span`. All clients receive the same
    /// `minimum`. Using
    /// `minimum` only as a lower limit of the usual delay would make most clients reconnect simultaneously at
    /// `minimum`, because most usual delays are shorter. The delay is limited to `RetryAfter.maxDelay`, so a
    /// `minimum` near that limit is reduced to leave room for the range.
    private static func randomDelay(from minimum: Duration, spreadOver span: Duration, random: Double)
        -> Duration
    {
        let first = min(minimum, RetryAfter.maxDelay - minSpread)
        let last = min(minimum + span, RetryAfter.maxDelay)
        return first + max(shortest, (last - first) * random)
    }

    /// Returns the delay after the server closed the stream normally. `retry`: the duration, sent by the
    /// server, over which clients should spread their reconnects. If the server closes the stream repeatedly,
    /// the delay grows beyond `retry`.
    public mutating func nextDelayAfterNormalStreamEnd(spreadingOver retry: Duration, random: () -> Double)
        -> Duration
    {
        let spread = retry * random(), delay = nextDelay(random: random())
        elapsed += max(spread - delay, .zero)
        return max(spread, delay)
    }

    /// Resets the backoff after a stable connection.
    public mutating func reset() { (failures, elapsed) = (0, .zero) }
}
