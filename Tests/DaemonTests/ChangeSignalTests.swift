import Runtime
import Testing

@testable import EventLog

@MainActor struct ChangeSignalTests {
    /// A regression test: a reply that was stored after the queue had read the signal's count, but before the
    /// queue slept, was not shown until the next reply arrived.
    @Test(.timeLimit(.minutes(1)), arguments: 0..<12)
    func `A task is woken if a signal is sent while the task is about to wait`(turns: Int) async throws {
        let signal = ChangeSignal()
        try await withTaskExecutorPreference(EventLoop.shared) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await sleep(until: signal) }
                group.addTask { await notify(signal, after: turns) }
                try await group.waitForAll()
            }
        }
        #expect(signal.count == 1)
    }

    @Test(.timeLimit(.minutes(1)))
    func `A task that waits for a log position is woken when the log passes the position`() async throws {
        let head = SequenceHead(5)
        let waiting = Task { try await head.waitUntilPast(7) }
        for position: Int64 in [6, 7, 3, 9] {
            for _ in 0..<10 { await Task.yield() }
            head.advance(to: position)
        }
        try await waiting.value
        #expect(head.value == 9 && head.advances.count == 3)
    }

    @Test func `Notifying a signal also notifies all signals that follow the signal directly or indirectly`()
    {
        let (first, second, third) = (ChangeSignal(), ChangeSignal(), ChangeSignal())
        second.follow(first)
        third.follow(second)
        first.notify()
        #expect([first, second, third].map(\.count) == [1, 1, 1])
    }

    @Test(.timeLimit(.minutes(1))) func `A cancelled task stops waiting for a signal`() async {
        let signal = ChangeSignal()
        let waiting = Task { try await signal.wait(past: 0) }
        await Task.yield()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    private func sleep(until signal: ChangeSignal) async throws { try await signal.wait(past: 0) }

    private func notify(_ signal: ChangeSignal, after turns: Int) async {
        for _ in 0..<turns { await Task.yield() }
        signal.notify()
    }
}
