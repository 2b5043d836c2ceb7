internal import CutieAPI

/// How long to wait before the next attempt: exponential with full jitter, applied after the cap, so
/// that a fleet that lost its server together does not come back together.
public struct Backoff: Sendable {
    public let base: Duration
    public let cap: Duration
    /// Failures since the last reset.
    public private(set) var failures: Int

    public init(base: Duration = .seconds(1), cap: Duration = .seconds(300), failures: Int = 0) {
        self.base = base
        self.cap = cap
        self.failures = failures
    }

    /// Returns the wait after one more failure. `random` is uniform in 0..<1. `floor` is what the server asked for with
    /// Retry-After.
    public mutating func next(random: Double, floor: Duration? = nil) -> Duration {
        let ceiling = min(cap, max(base * (1 << min(failures, 20)), floor ?? .zero))
        failures += 1
        guard let floor, floor > .zero else { return max(Self.shortest, ceiling * random) }
        return Self.spread(from: floor, over: ceiling, random)
    }

    private static let shortest: Duration = .milliseconds(100)
    /// Over this time at least are those spread whom the server asked to stay away for as long as is allowed.
    private static let shortestSpread: Duration = .seconds(60)

    /// The server asked every client, so they are spread over as long again: the jitter alone would bring all of them
    /// in the first second after `floor`. The sum has a cap, not its parts; near the cap some come a little early.
    private static func spread(from floor: Duration, over span: Duration, _ random: Double) -> Duration {
        let first = min(floor, RetryAfter.longest - shortestSpread)
        let last = min(floor + span, RetryAfter.longest)
        return first + max(shortest, (last - first) * random)
    }

    /// The wait after the server ended the stream properly and named the time over which it wants its
    /// clients back. Where it does so again and again, the backoff grows over that.
    public mutating func next(afterEndWith retry: Duration, random: () -> Double) -> Duration {
        max(retry * random(), next(random: random()))
    }

    /// After a connection that lived.
    public mutating func reset() { failures = 0 }
}
