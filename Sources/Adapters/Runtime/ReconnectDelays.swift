/// The delays between attempts to reconnect to a stopped daemon. Short at first, because most restarts are
/// quick, and later two seconds.
public struct ReconnectDelays: Sendable {
    private var pause = Duration.milliseconds(50)

    public init() {}

    public mutating func nextDelay() -> Duration {
        defer { pause = min(pause * 2, .seconds(2)) }
        return pause
    }

    public mutating func reset() { self = ReconnectDelays() }
}
