/// The delays between attempts to reconnect to a stopped daemon. The first delays are short, because most
/// restarts are quick; later delays are two seconds.
public struct ReconnectDelays: Sendable {
    private var pause = Duration.milliseconds(50)

    public init() {}

    public mutating func nextDelay() -> Duration {
        defer { pause = min(pause * 2, .seconds(2)) }
        return pause
    }

    public mutating func reset() { self = ReconnectDelays() }
}
