/// Pauses between attempts to reach a daemon that is gone: short at first, so that a restart is hardly
/// noticed, then two seconds.
public struct ReconnectDelays: Sendable {
    private var pause = Duration.milliseconds(50)

    public init() {}

    public mutating func next() -> Duration {
        defer { pause = min(pause * 2, .seconds(2)) }
        return pause
    }

    public mutating func reset() { self = ReconnectDelays() }
}
