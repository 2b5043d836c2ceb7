public import CutieAPI
internal import Glibc
internal import Threads

/// What the daemon takes from outside that a test must be able to set: clocks and chance.
public struct Surroundings: Sendable {
    /// Measures waits; never jumps.
    public var clock: any Clock<Duration>
    /// The wall clock.
    public var now: @Sendable () -> Timestamp
    /// Uniform in 0..<1.
    public var random: @Sendable () -> Double

    public init(
        clock: any Clock<Duration>, now: @escaping @Sendable () -> Timestamp,
        random: @escaping @Sendable () -> Double
    ) {
        self.clock = clock
        self.now = now
        self.random = random
    }

    public static let real = Surroundings(
        clock: LoopClock(), now: { .wallClock }, random: { Double.random(in: 0..<1) })

    func sleep(_ duration: Duration) async throws {
        try await clock.sleep(for: duration)
    }

    /// Time since the machine started, suspend included: what intervals are measured with.
    var uptime: Duration { Self.time(of: CLOCK_BOOTTIME) }

    /// The same without suspend: how long something could be seen.
    var timeAwake: Duration { Self.time(of: CLOCK_MONOTONIC) }

    private static func time(of clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

extension Timestamp {
    fileprivate nonisolated static var wallClock: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}

extension Surroundings {
    /// Runs `body`, but not longer than `limit`: then it is cancelled and nil is returned.
    func within<Value: Sendable>(
        _ limit: Duration, _ body: @escaping @MainActor () async throws -> Value
    ) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await sleep(limit)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
