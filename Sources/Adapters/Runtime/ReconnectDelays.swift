/// The delays between attempts to reconnect to the daemon: an exponential backoff from 50 ms to two
/// seconds. The first delays are short, because most restarts are quick.
public struct ReconnectDelays: Sendable {
    private var pause = Duration.milliseconds(50)

    public init() {}

    public mutating func nextDelay() -> Duration {
        defer { pause = min(pause * 2, .seconds(2)) }
        return pause
    }

    public mutating func reset() { self = ReconnectDelays() }
}
