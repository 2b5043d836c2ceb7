import CutieAPI
import HTTP
import Runtime
import Synchronization
import TestSupport

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

/// A simulated clock that stands still until a test advances it.
final class ManualTime: TimeSource {
    /// The rule that determines when `sleep` returns.
    enum Flow: Sendable {
        /// Sleeps until the test advances the clock far enough.
        case never
        /// Returns immediately and advances the clock by the duration of the sleep.
        case atOnce
        /// Returns as soon as the daemon is idle, and advances the clock to the end of the sleep. A sleep
        /// that ends later than the limit lasts until the test advances the clock.
        case whenIdle(upTo: Duration)

        /// The default flow: short retry delays elapse automatically; longer timeouts do not.
        static let brief = Flow.whenIdle(upTo: .seconds(10))
    }

    private struct Sleeper {
        let due: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Timestamp.base
        var uptime = Duration.seconds(1000)
        var timeAwake = Duration.seconds(900)
        var sleepers: [Int: Sleeper] = [:]
        var waits: [Duration] = []
        /// The number of times that a task fell asleep or woke up.
        var moves = 0
        var isFlowing = false

        mutating func pass(_ duration: Duration, wall: Duration) -> [Sleeper] {
            (now, uptime, timeAwake) = (now + wall, uptime + duration, timeAwake + duration)
            let woken = sleepers.filter { $0.value.due <= uptime }
            for key in woken.keys { sleepers[key] = nil }
            moves += woken.count
            return woken.values.sorted { $0.due < $1.due }
        }

        mutating func wake(_ key: Int) -> Sleeper? {
            moves += 1
            return sleepers.removeValue(forKey: key)
        }
    }

    private static let pulse = Pulse()

    private let flow: Flow
    private let isWallStill: Bool
    private let state = Mutex(State())

    /// - Parameter isWallStill: whether only `jump` changes the wall clock, and `pass` does not.
    init(_ flow: Flow = .never, isWallStill: Bool = false) {
        (self.flow, self.isWallStill) = (flow, isWallStill)
    }

    var now: Timestamp { state.withLock { $0.now } }
    var uptime: Duration { state.withLock { $0.uptime } }
    var timeAwake: Duration { state.withLock { $0.timeAwake } }

    /// The durations of all past and current sleeps, in the order of their start.
    var waits: [Duration] { state.withLock { $0.waits } }
    /// The remaining durations of the current sleeps, in ascending order.
    var sleeps: [Duration] {
        state.withLock { state in state.sleepers.values.map { $0.due - state.uptime }.sorted() }
    }

    /// Advances all clocks and wakes the tasks whose sleep has ended.
    func pass(_ duration: Duration) {
        let woken = state.withLock { $0.pass(duration, wall: isWallStill ? .zero : duration) }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Changes only the wall clock, as a user might. A negative duration sets the clock back.
    func jump(_ duration: Duration) { state.withLock { $0.now = $0.now + duration } }

    func set(_ time: Timestamp) { state.withLock { $0.now = time } }

    /// Resets the monotonic clocks, as a reboot does.
    func reboot() { state.withLock { ($0.uptime, $0.timeAwake) = (.seconds(5), .seconds(5)) } }

    func sleep(untilUptime due: Duration) async throws {
        if case .atOnce = flow {
            try Task.checkCancellation()
            state.withLock { $0.waits.append(due - $0.uptime) }
            await Task.yield()
            return pass(max(.zero, due - uptime))
        }
        let key = state.withLock { state in
            state.waits.append(due - state.uptime)
            state.moves += 1
            return state.moves
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { add($0, key, until: due) }
        } onCancel: {
            state.withLock { $0.wake(key) }?.continuation.resume(throwing: CancellationError())
        }
    }

    private func add(
        _ continuation: CheckedContinuation<Void, any Error>, _ key: Int, until due: Duration
    ) {
        let isLate = state.withLock { state in
            state.sleepers[key] = Sleeper(due: due, continuation: continuation)
            return due <= state.uptime
        }
        if Task.isCancelled {
            state.withLock { $0.wake(key) }?.continuation.resume(throwing: CancellationError())
        } else if isLate {
            state.withLock { $0.wake(key) }?.continuation.resume()
        } else if case .whenIdle(let limit) = flow {
            startFlow(upTo: limit)
        }
    }
}

extension ManualTime {
    /// Waits until the event loop has processed all input that was in flight before the call.
    func waitForEventLoop() async throws { try await Self.pulse.beat() }

    /// Waits until `condition` holds. Whenever the daemon is idle, advances the clock to the end of the
    /// shortest sleep.
    func advance(
        until what: String, isolation: isolated (any Actor)? = #isolation,
        _ condition: () async throws -> Bool
    ) async throws {
        var seen = -1
        try await eventually(what) {
            if try await condition() { return true }
            try await Self.pulse.beat()
            seen = advanceIfIdle(since: seen, upTo: .seconds(Int64.max))
            return false
        }
    }

    /// Advances the clock to the end of the shortest sleep if that sleep ends within `limit` and no task fell
    /// asleep or woke up since `seen`. Returns the value of `seen` for the next call.
    private func advanceIfIdle(since seen: Int, upTo limit: Duration) -> Int {
        let (moves, wait) = state.withLock { state in
            (state.moves, state.sleepers.values.map { $0.due - state.uptime }.min())
        }
        guard moves == seen, let wait, wait <= limit else { return moves }
        pass(wait)
        return -1
    }

    /// Starts the task that advances the clock as long as the shortest sleep ends within `limit`. Does
    /// nothing if the task is already running.
    private func startFlow(upTo limit: Duration) {
        guard state.withLock({ !exchange(&$0.isFlowing, with: true) }) else { return }
        Task { [self] in
            var seen = -1
            while mayFlow(upTo: limit) {
                try? await Self.pulse.beat()
                seen = advanceIfIdle(since: seen, upTo: limit)
            }
        }
    }

    private func mayFlow(upTo limit: Duration) -> Bool {
        state.withLock { state in
            state.isFlowing = state.sleepers.values.contains { $0.due - state.uptime <= limit }
            return state.isFlowing
        }
    }
}

/// A loopback server on the event loop of the daemon. After `beat()` returns, the event loop has processed
/// all input that was in flight before the call.
private final class Pulse: Sendable {
    private let httpClient = HTTPClient()
    private let server = try? RawServer { connection, _ in
        while connection.readRequest() != nil { connection.answer() }
    }

    func beat() async throws {
        for _ in 0..<4 { _ = try await httpClient.send(HTTPRequest(server?.url ?? "")) }
        try await EventLoop.shared.sleep(for: .milliseconds(2))
    }
}

extension RuntimeEnvironment {
    /// - Parameter random: the constant value of the random source.
    @MainActor init(_ time: ManualTime, random: Double = 0.5) { self.init(time: time) { random } }

    /// An environment for tests that do not depend on time. Short sleeps return automatically; long sleeps do
    /// not.
    @MainActor static var still: RuntimeEnvironment { RuntimeEnvironment(ManualTime(.brief)) }
}
