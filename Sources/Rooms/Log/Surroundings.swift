package import Attention
package import CutieAPI
import Platform
import Threads

/// The machine's clocks, and waiting by them.
package nonisolated protocol TimeSource: Sendable {
    /// The wall clock. It jumps when somebody sets it.
    var now: Timestamp { get }
    /// Since the machine started, suspend included: a clock that nobody can set.
    var uptime: Duration { get }
    /// The same without suspend: how long something could be seen.
    var timeAwake: Duration { get }
    /// Returns once `uptime` is that. Throws `CancellationError` when the task is cancelled before.
    func sleep(until uptime: Duration) async throws
}

/// The real time. Who sleeps does so on the event loop, not on libdispatch's timers.
private nonisolated struct SystemTime: TimeSource {
    var now: Timestamp { Timestamp(milliseconds: SystemClock.milliseconds) }
    var uptime: Duration { SystemClock.uptime }
    var timeAwake: Duration { SystemClock.timeAwake }

    func sleep(until uptime: Duration) async throws {
        try await EventLoop.shared.sleep(for: max(.zero, uptime - self.uptime))
    }
}

/// What the daemon takes from outside that a test must be able to set: time and chance.
package struct Surroundings: Sendable {
    private let time: any TimeSource
    /// Uniform in 0..<1.
    package let random: @Sendable () -> Double

    package init(time: any TimeSource, random: @escaping @Sendable () -> Double) {
        (self.time, self.random) = (time, random)
    }

    package static let real = Surroundings(time: SystemTime()) { Double.random(in: 0..<1) }

    package func now() -> Timestamp { time.now }

    /// What intervals are measured with.
    package var uptime: Duration { time.uptime }

    package var timeAwake: Duration { time.timeAwake }

    package var moment: Moment { Moment(time: time.now, uptime: time.uptime) }

    package func sleep(_ duration: Duration) async throws { try await time.sleep(until: uptime + duration) }

    /// From now until a time of the wall clock.
    package func wait(until time: Timestamp) -> Duration { max(.zero, time - now()) }
}

extension Surroundings {
    /// Runs `body`, but not longer than `limit`: then it is cancelled and nil is returned.
    package func within<Value: Sendable>(
        _ limit: Duration, _ body: @escaping @MainActor () async throws -> Value
    ) async throws -> Value? {
        // Counts from now, and not from when the other task has begun.
        let end = uptime + limit
        return try await race(body) { [time] in try await time.sleep(until: end) }
    }

    /// Returns once `signal` was notified more than `seen` times, and not later than `limit` says.
    package func wait(for signal: Signal, past seen: Int64, atMost limit: Duration?) async throws {
        guard let limit else { return try await signal.wait(past: seen) }
        _ = try await within(limit) { try await signal.wait(past: seen) }
    }
}
