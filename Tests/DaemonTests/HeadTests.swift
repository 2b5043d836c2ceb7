import Testing
import Threads

@testable import Daemon

@MainActor struct HeadTests {
    /// On the event loop others have a turn between a look at the head and the sleep: a reply was stored then,
    /// and its announcer slept until the next one came.
    @Test(.timeLimit(.minutes(1)), arguments: 0..<12)
    func `Who is on the way to sleep while the head moves is woken`(turns: Int) async throws {
        let head = Head()
        try await withTaskExecutorPreference(EventLoop.shared) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await sleep(until: head) }
                group.addTask { await move(head, after: turns) }
                try await group.waitForAll()
            }
        }
        #expect(head.value == 1)
    }

    private func sleep(until head: Head) async throws { try await head.passed(0) }

    private func move(_ head: Head, after turns: Int) async {
        for _ in 0..<turns { await Task.yield() }
        head.advance()
    }
}
