import CutieAPI
import HTTP
import Synchronization
import TestSupport
import Threads

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import Log
@testable import Screen

/// Time that stands still until a test lets it pass; nothing waits for the real one.
final class ManualTime: TimeSource {
    /// What becomes of who sleeps.
    enum Flow: Sendable {
        /// Sleeps until the test passes so much time.
        case never
        /// Wakes at once, and the time is then what it slept for.
        case atOnce
        /// Where it sleeps for no longer than that and nobody else wakes meanwhile, time passes to the next one
        /// who is to wake. Who sleeps for longer does so until the test passes the time.
        case whenIdle(upTo: Duration)

        /// What is tried again after a few seconds is; what waits for a person or a server does so.
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
        /// Grows with everybody who falls asleep or wakes.
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

    /// `isWallStill`: the wall clock shows what a test sets, for however long that lasts.
    init(_ flow: Flow = .never, isWallStill: Bool = false) {
        (self.flow, self.isWallStill) = (flow, isWallStill)
    }

    var now: Timestamp { state.withLock { $0.now } }
    var uptime: Duration { state.withLock { $0.uptime } }
    var timeAwake: Duration { state.withLock { $0.timeAwake } }

    /// For how long somebody wanted to sleep, from the first on.
    var waits: [Duration] { state.withLock { $0.waits } }
    /// How long those who sleep have still to do so, the shortest first.
    var sleeps: [Duration] {
        state.withLock { state in state.sleepers.values.map { $0.due - state.uptime }.sorted() }
    }

    /// All clocks move on, and who has slept enough wakes.
    func pass(_ duration: Duration) {
        let woken = state.withLock { $0.pass(duration, wall: isWallStill ? .zero : duration) }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Somebody sets the wall clock.
    func jump(_ duration: Duration) { state.withLock { $0.now = $0.now + duration } }

    func set(_ time: Timestamp) { state.withLock { $0.now = time } }

    /// The machine starts anew.
    func reboot() { state.withLock { ($0.uptime, $0.timeAwake) = (.seconds(5), .seconds(5)) } }

    func sleep(until due: Duration) async throws {
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
    /// Waits until `condition` holds. Whenever nothing moves any more, time passes to the next one who is to wake.
    func passes(
        until what: String, isolation: isolated (any Actor)? = #isolation,
        _ condition: () async throws -> Bool
    ) async throws {
        var seen = -1
        try await eventually(what) {
            if try await condition() { return true }
            try await Self.pulse.beat()
            seen = passIfIdle(since: seen, upTo: .seconds(Int64.max))
            return false
        }
    }

    /// Time passes to the next one who is to wake within `limit`, unless somebody fell asleep or woke since
    /// `seen`. Returns what is to be passed here the next time.
    private func passIfIdle(since seen: Int, upTo limit: Duration) -> Int {
        let (moves, wait) = state.withLock { state in
            (state.moves, state.sleepers.values.map { $0.due - state.uptime }.min())
        }
        guard moves == seen, let wait, wait <= limit else { return moves }
        pass(wait)
        return -1
    }

    /// One task, for as long as somebody sleeps who may be woken.
    private func startFlow(upTo limit: Duration) {
        guard state.withLock({ !exchange(&$0.isFlowing, with: true) }) else { return }
        Task { [self] in
            var seen = -1
            while mayFlow(upTo: limit) {
                try? await Self.pulse.beat()
                seen = passIfIdle(since: seen, upTo: limit)
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

/// A real server that is called on the same loop as the others: however busy the machine is, what was on its way
/// before a beat has arrived after it.
private final class Pulse: Sendable {
    private let transport = Transport()
    private let server = try? RawServer { connection, _ in
        while connection.readRequest() != nil { connection.answer() }
    }

    func beat() async throws {
        for _ in 0..<4 { _ = try await transport.send(HTTPRequest(server?.url ?? "")) }
        try await EventLoop.shared.sleep(for: .milliseconds(2))
    }
}

extension Surroundings {
    /// `random`: what chance always comes to.
    @MainActor init(_ time: ManualTime, random: Double = 0.5) { self.init(time: time) { random } }

    /// Where a test has nothing to do with time: short waits end, long ones do not.
    @MainActor static var still: Surroundings { Surroundings(ManualTime(.brief)) }
}
