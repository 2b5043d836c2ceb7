internal import CutieAPI

/// The delays between attempts: exponential backoff with full jitter, applied after the cap, so that clients
/// that lost their server at the same time do not return at the same time.
public struct Backoff: Sendable {
    public let base: Duration
    public let cap: Duration
    /// The number of failures since the last reset.
    public private(set) var failures: Int

    public init(base: Duration = .seconds(1), cap: Duration = .seconds(300), failures: Int = 0) {
        self.base = base
        self.cap = cap
        self.failures = failures
    }

    /// Returns the delay after another failure.
    ///
    /// - Parameters:
    ///   - random: uniform in 0..<1.
    ///   - floor: the server's Retry-After.
    public mutating func next(random: Double, floor: Duration? = nil) -> Duration {
        let ceiling = min(cap, max(base * (1 << min(failures, 20)), floor ?? .zero))
        failures += 1
        guard let floor, floor > .zero else { return max(Self.shortest, ceiling * random) }
        return Self.spread(from: floor, over: ceiling, random)
    }

    private static let shortest: Duration = .milliseconds(100)
    /// The minimum spread of clients if the server requests the longest allowed delay.
    private static let shortestSpread: Duration = .seconds(60)

    /// Returns a random delay of at least `floor`. The server sent the same `floor` to every client, so the
    /// delays are spread over another `span`: jitter alone would let all clients return in the first second
    /// after `floor`. The sum is capped and not its parts, so that near the cap some delays are shorter than
    /// `floor`.
    private static func spread(from floor: Duration, over span: Duration, _ random: Double) -> Duration {
        let first = min(floor, RetryAfter.longest - shortestSpread)
        let last = min(floor + span, RetryAfter.longest)
        return first + max(shortest, (last - first) * random)
    }

    /// Returns the delay after the server closed the stream regularly and sent the time over which clients
    /// should return. The backoff grows beyond that time if this happens repeatedly.
    public mutating func next(afterEndWith retry: Duration, random: () -> Double) -> Duration {
        max(retry * random(), next(random: random()))
    }

    /// Resets the backoff after a connection that proved stable.
    public mutating func reset() { failures = 0 }
}
