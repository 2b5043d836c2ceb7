/// Pauses between attempts to reach a daemon that is gone: short at first, so that a restart is hardly
/// noticed, then two seconds.
struct ReconnectDelays {
    private var pause = Duration.milliseconds(50)

    mutating func next() -> Duration {
        defer { pause = min(pause * 2, .seconds(2)) }
        return pause
    }

    mutating func reset() { self = ReconnectDelays() }
}
