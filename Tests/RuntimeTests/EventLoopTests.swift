import CLinux
import Glibc
import TestSupport
import Testing

@testable import Runtime

struct EventLoopTests {
    @Test func `A task that prefers the event loop runs on the loop's thread, as do its child tasks`() async {
        let threads = await withTaskExecutorPreference(EventLoop.shared) {
            await withTaskGroup(of: UInt.self) { group in
                for _ in 0..<8 { group.addTask { UInt(pthread_self()) } }
                return await group.reduce(into: Set([UInt(pthread_self())])) { $0.insert($1) }
            }
        }
        #expect(threads.count == 1)
    }

    @Test func `Sleeping tasks wake in the order of their deadlines`() async throws {
        let woken = Locked<[Int]>([])
        let start = ContinuousClock.now
        try await withThrowingDiscardingTaskGroup { group in
            for delay in [1500, 500, 1000] {
                group.addTask(executorPreference: EventLoop.shared) {
                    try await EventLoop.shared.sleep(until: start + .milliseconds(delay))
                    woken.withLock { $0.append(delay) }
                }
            }
        }
        #expect(woken.withLock { $0 } == [500, 1000, 1500])
        #expect(ContinuousClock.now >= start + .milliseconds(1500))
    }

    @Test
    func
        `A sleep ends immediately if its task is cancelled, even before the sleep begins`()
        async
    {
        let sleeper = Task { try await EventLoop.shared.sleep(for: .seconds(3600)) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test func `An operation that exceeds its time limit is cancelled and returns nil`() async {
        let late = await EventLoop.shared.withTimeout(.milliseconds(1)) {
            try? await EventLoop.shared.sleep(for: .seconds(3600))
            return 1
        }
        #expect(late == nil)
    }

    @Test func `An operation within its time limit returns its value or its error`() async throws {
        #expect(await EventLoop.shared.withTimeout(.seconds(3600)) { 1 } == 1)
        await #expect(throws: WaitFailure(code: EBADF)) {
            try await EventLoop.shared.withTimeout(.seconds(3600)) { () throws(WaitFailure) -> Int in
                throw WaitFailure(code: EBADF)
            }
        }
    }

    @Test func `Two tasks can wait on the same socket, one for reading and one for writing`()
        async throws
    {
        let pair = try Pair()
        async let readable = EventLoop.shared.wait(for: .readable, on: pair.one)
        #expect(try await EventLoop.shared.wait(for: .writable, on: pair.one))
        write(pair.other, "x", 1)
        #expect(try await readable)
    }

    @Test func `A wait for a descriptor ends at its deadline`() async throws {
        let pair = try Pair()
        #expect(
            try await !EventLoop.shared.wait(for: .readable, on: pair.one, until: .now + .milliseconds(5)))
    }

    @Test func `Waiting for an invalid file descriptor causes an error`() async throws {
        await #expect(throws: WaitFailure(code: EBADF)) {
            _ = try await EventLoop.shared.wait(for: .readable, on: 1 << 20)
        }
    }

    @Test func `A hang-up wakes a task that waits only for the hang-up`() async throws {
        let pair = try Pair()
        async let gone = EventLoop.shared.wait(for: .hangUp, on: pair.one)
        shutdown(pair.other, Int32(SHUT_RDWR))
        #expect(try await gone)
    }
}

struct LoopClientTests {
    @Test
    func `The event loop notifies a client of ready descriptors and due timers until the client is removed`()
        async throws
    {
        let pair = try Pair()
        let client = Client()
        let tag = EventLoop.shared.makeTag()
        EventLoop.shared.addClient(client, withTag: tag)
        EventLoop.shared.watch(pair.one, for: EPOLLIN.rawValue, clientTag: tag)
        write(pair.other, "x", 1)
        try await eventually("the descriptor was ready") { client.calls.contains(.ready(pair.one)) }
        EventLoop.shared.watch(pair.one, for: nil, clientTag: tag)
        client.wantTurn()
        try await eventually("the due work is done") { client.calls.contains(.due) }
        EventLoop.shared.removeClient(withTag: tag)
        // The loop removes the client only in the next round, so actions that are already due are still
        // executed.
        try await EventLoop.shared.sleep(for: .milliseconds(1))
        client.wantTurn()
        // After another round, the removed client must not have been called again.
        try await EventLoop.shared.sleep(for: .milliseconds(1))
        #expect(client.calls.count { $0 == .due } == 1)
        #expect(client.isOnLoopOnly)
    }

    private final class Client: LoopClient {
        enum Call: Equatable {
            case ready(Int32)
            case due
        }

        private struct State {
            var calls: [Call] = []
            var isDue = false
            var isOnLoopOnly = true
        }

        private let state = Locked(State())

        var calls: [Call] { state.withLock { $0.calls } }
        var isOnLoopOnly: Bool { state.withLock { $0.isOnLoopOnly } }

        func wantTurn() {
            state.withLock { $0.isDue = true }
            EventLoop.shared.perform {}
        }

        var due: SuspendingClock.Instant? { state.withLock { $0.isDue ? .now : nil } }

        func handleReadyDescriptor(_ ready: Poller.Ready) { note(.ready(ready.descriptor)) }

        func handleTimeout() {
            state.withLock { $0.isDue = false }
            note(.due)
        }

        private func note(_ call: Call) {
            state.withLock {
                $0.calls.append(call)
                $0.isOnLoopOnly = $0.isOnLoopOnly && EventLoop.shared.isCurrent
            }
        }
    }
}

/// A pair of connected sockets.
private final class Pair: Sendable {
    let one: Int32
    let other: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        (one, other) = (ends[0], ends[1])
    }

    deinit {
        close(one)
        close(other)
    }
}
