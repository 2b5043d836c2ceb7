import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

@MainActor struct AsyncMutexTests {
    /// A regression test: after two reconfigurations in quick succession, two account units wait until the
    /// same previous unit has ended.
    @Test(.timeLimit(.minutes(1))) func `The mutex admits waiting tasks one at a time`() async throws {
        let room = Room()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { try await room.visit() } }
            try await group.waitForAll()
        }
        #expect(room.most == 1 && room.visits == 3)
    }
}

/// A counter of the tasks that hold the mutex.
@MainActor private final class Room {
    private let mutex = AsyncMutex()
    private var inside = 0
    private(set) var most = 0
    private(set) var visits = 0

    func visit() async throws {
        try await mutex.withLock {
            inside += 1
            most = max(most, inside)
            for _ in 0..<5 { await Task.yield() }
            inside -= 1
            visits += 1
        }
    }
}
