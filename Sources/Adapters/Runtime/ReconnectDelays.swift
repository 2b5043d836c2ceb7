/// The delays between attempts to connect to a daemon that was stopped: short at first, because most restarts
/// are quick, later two seconds.
public struct ReconnectDelays: Sendable {
    private var pause = Duration.milliseconds(50)

    public init() {}

    public mutating func nextDelay() -> Duration {
        defer { pause = min(pause * 2, .seconds(2)) }
        return pause
    }

    public mutating func reset() { self = ReconnectDelays() }
}
