import Testing

@testable import Daemon

@MainActor struct TurnTests {
    /// Of an account that is configured anew twice in a moment, two units wait for the same end.
    @Test(.timeLimit(.minutes(1))) func `Those who wait have their turns one after the other`() async throws {
        let room = Room()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { try await room.visit() } }
            try await group.waitForAll()
        }
        #expect(room.most == 1 && room.visits == 3)
    }
}

/// Knows how many were in it at once.
@MainActor private final class Room {
    private let turn = Turn()
    private var inside = 0
    private(set) var most = 0
    private(set) var visits = 0

    func visit() async throws {
        try await turn.alone {
            inside += 1
            most = max(most, inside)
            for _ in 0..<5 { await Task.yield() }
            inside -= 1
            visits += 1
        }
    }
}
