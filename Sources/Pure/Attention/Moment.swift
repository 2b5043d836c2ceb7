public import CutieAPI

/// Now, by two clocks: what people call the time, which anybody can set, and what nobody can.
public struct Moment: Hashable, Sendable {
    public var time: Timestamp
    /// Since the machine started, suspend included.
    public var uptime: Duration

    public init(time: Timestamp, uptime: Duration) {
        self.time = time
        self.uptime = uptime
    }

    /// What the clock will show at `uptime`, if nobody sets it.
    public func time(at uptime: Duration) -> Timestamp { time + (uptime - self.uptime) }
}
