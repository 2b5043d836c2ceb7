public import CutieAPI
internal import Inbox
internal import Platform
internal import Threads

/// What the daemon takes from outside that a test must be able to set: clocks and chance.
public struct Surroundings: Sendable {
    /// Measures waits; never jumps.
    public var clock: any Clock<Duration>
    /// The wall clock.
    public var now: @Sendable () -> Timestamp
    /// Since the machine started, suspend included: a clock that nobody can set.
    public var sinceBoot: @Sendable () -> Duration
    /// Uniform in 0..<1.
    public var random: @Sendable () -> Double

    public init(
        clock: any Clock<Duration>, now: @escaping @Sendable () -> Timestamp,
        random: @escaping @Sendable () -> Double,
        sinceBoot: (@Sendable () -> Duration)? = nil
    ) {
        self.clock = clock
        self.now = now
        self.sinceBoot = sinceBoot ?? { SystemClock.uptime }
        self.random = random
    }

    public static let real = Surroundings(
        clock: LoopClock(), now: { Timestamp(milliseconds: SystemClock.milliseconds) },
        random: { Double.random(in: 0..<1) })

    func sleep(_ duration: Duration) async throws {
        try await clock.sleep(for: duration)
    }

    /// What intervals are measured with.
    var uptime: Duration { sinceBoot() }

    var moment: Moment { Moment(time: now(), uptime: uptime) }

    /// From now until a time of the wall clock.
    func wait(until time: Timestamp) -> Duration { max(.zero, time - now()) }

    /// How long something could be seen.
    var timeAwake: Duration { SystemClock.timeAwake }
}

extension Surroundings {
    /// Runs `body`, but not longer than `limit`: then it is cancelled and nil is returned.
    func within<Value: Sendable>(
        _ limit: Duration, _ body: @escaping @MainActor () async throws -> Value
    ) async throws -> Value? {
        try await race(body) { try await sleep(limit) }
    }

    /// Returns as soon as `head` is past `known`, at the latest after `limit` where there is one.
    func wait(for head: Head, past known: Int64, atMost limit: Duration?) async throws {
        guard let limit else { return try await head.passed(known) }
        _ = try await within(limit) { try await head.passed(known) }
    }
}
