public import CutieAPI

/// The current time as wall-clock time, which may be adjusted, and as monotonic uptime.
public struct ClockReading: Hashable, Sendable {
    public var time: Timestamp
    /// The time since boot, including suspend.
    public var uptime: Duration

    public init(time: Timestamp, uptime: Duration) {
        self.time = time
        self.uptime = uptime
    }

    /// Returns the wall-clock time at `uptime`, assuming that the wall clock is not adjusted in between.
    public func time(at uptime: Duration) -> Timestamp { time + (uptime - self.uptime) }
}
