/// The continuous clock, with sleeps on the event loop instead of libdispatch's timers.
public struct LoopClock: Clock {
    public init() {}

    public var now: ContinuousClock.Instant { .now }
    public var minimumResolution: Duration { .milliseconds(1) }

    public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await EventLoop.shared.sleep(until: deadline)
    }
}
