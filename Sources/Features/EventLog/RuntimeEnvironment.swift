package import CutieAPI
package import NotificationPolicy
import Platform
import Runtime

/// The clocks of the machine, and a timer.
package nonisolated protocol TimeSource: Sendable {
    /// The wall clock, which jumps when it is set.
    var now: Timestamp { get }
    /// The time since boot, including suspend. This clock is monotonic.
    var uptime: Duration { get }
    /// The time since boot without suspend, to measure how long a notification was visible.
    var timeAwake: Duration { get }
    /// Waits until the time since boot reaches `uptime`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    func sleep(untilUptime uptime: Duration) async throws
}

/// The clocks of the system. Sleeping tasks use the timers of the event loop, not those of libdispatch.
private nonisolated struct SystemTime: TimeSource {
    var now: Timestamp { Timestamp(milliseconds: SystemClock.milliseconds) }
    var uptime: Duration { SystemClock.uptime }
    var timeAwake: Duration { SystemClock.timeAwake }

    func sleep(untilUptime uptime: Duration) async throws {
        try await EventLoop.shared.sleep(for: max(.zero, uptime - self.uptime))
    }
}

/// The daemon's sources of time and randomness, which tests replace.
package struct RuntimeEnvironment: Sendable {
    private let time: any TimeSource
    /// Returns a random number, uniformly distributed in 0..<1.
    package let random: @Sendable () -> Double

    package init(time: any TimeSource, random: @escaping @Sendable () -> Double) {
        (self.time, self.random) = (time, random)
    }

    package static let real = RuntimeEnvironment(time: SystemTime()) { Double.random(in: 0..<1) }

    package func now() -> Timestamp { time.now }

    /// The current monotonic time, for measuring intervals.
    package var uptime: Duration { time.uptime }

    package var timeAwake: Duration { time.timeAwake }

    package var clockReading: ClockReading { ClockReading(time: time.now, uptime: time.uptime) }

    package func sleep(for duration: Duration) async throws {
        try await time.sleep(untilUptime: uptime + duration)
    }

    /// Returns the duration from now until a time of the wall clock; zero if the time has passed.
    package func duration(until time: Timestamp) -> Duration { max(.zero, time - now()) }
}

extension RuntimeEnvironment {
    /// Runs `body` with a timeout.
    ///
    /// - Returns: the result; `nil` if `body` was cancelled after `limit`.
    package func withTimeout<Value: Sendable>(
        _ limit: Duration, _ body: @escaping @MainActor () async throws -> Value
    ) async throws -> Value? {
        // Measure the limit from this call, because the sleeping task may start later.
        let end = uptime + limit
        return try await race(body) { [time] in try await time.sleep(untilUptime: end) }
    }
}
