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
    /// for with Retry-After, after which the jitter is added.
    public mutating func next(random: Double, floor: Duration? = nil) -> Duration {
        let ceiling = min(cap, base * (1 << min(failures, 20)))
        failures += 1
        return (floor ?? .zero) + max(.milliseconds(100), ceiling * random)
    }

    /// After a connection that lived.
    public mutating func reset() { failures = 0 }
}
