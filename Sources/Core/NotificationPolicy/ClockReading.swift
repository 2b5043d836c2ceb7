public import CutieAPI

/// The current time on two clocks: the wall clock, which may be adjusted, and the monotonic clock.
public struct ClockReading: Hashable, Sendable {
    public var time: Timestamp
    /// The monotonic time since boot, including suspend.
    public var uptime: Duration

    public init(time: Timestamp, uptime: Duration) {
        self.time = time
        self.uptime = uptime
    }

    /// Returns the wall-clock time at `uptime`. The result is wrong if the wall clock is adjusted before that
    /// time.
    public func time(atUptime uptime: Duration) -> Timestamp { time + (uptime - self.uptime) }
}
