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

    /// The wait after one more failure. `random` is uniform in 0..<1; `floor` is what the server asked
    /// for with Retry-After. It asked everybody, so they are spread over as long again: the jitter alone
    /// would bring all of them in the first second after it.
    public mutating func next(random: Double, floor: Duration? = nil) -> Duration {
        let ceiling = min(cap, max(base * (1 << min(failures, 20)), floor ?? .zero))
        failures += 1
        return (floor ?? .zero) + max(.milliseconds(100), ceiling * random)
    }

    /// The wait after the server ended the stream properly and named the time over which it wants its
    /// clients back. Where it does so again and again, the backoff grows over that.
    public mutating func next(afterEndWith retry: Duration, random: () -> Double) -> Duration {
        max(retry * random(), next(random: random()))
    }

    /// After a connection that lived.
    public mutating func reset() { failures = 0 }
}
