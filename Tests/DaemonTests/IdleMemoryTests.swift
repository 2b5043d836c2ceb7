import TestSupport
import Testing

@testable import Daemon
@testable import EventLog

@MainActor
@Suite struct IdleMemoryTests {
    private let time = ManualTime()
    private let head = SequenceHead(7)

    @Test func `Memory is released after several minutes without activity, but not during activity`()
        async throws
    {
        var given = 0
        let memory = IdleMemoryTrimmer(head: head, runtime: RuntimeEnvironment(time)) { given += 1 }
        try await running(memory.run) {
            try await advance(by: IdleMemoryTrimmer.minimumEntries)
            head.advance(to: head.value + 1)
            time.pass(IdleMemoryTrimmer.idleDelay)
            try await waitUntilIdle()
            #expect(given == 0)
            time.pass(IdleMemoryTrimmer.idleDelay)
            try await eventually("the memory is released") { given == 1 }
        }
    }

    @Test func `An idle daemon releases memory only once until new activity occurs`()
        async throws
    {
        var given = 0
        let memory = IdleMemoryTrimmer(head: head, runtime: RuntimeEnvironment(time)) { given += 1 }
        try await running(memory.run) {
            try await advance(by: IdleMemoryTrimmer.minimumEntries)
            time.pass(IdleMemoryTrimmer.idleDelay)
            try await eventually("the memory is released") { given == 1 }
            #expect(time.sleeps.isEmpty)
            try await advance(by: IdleMemoryTrimmer.minimumEntries)
            time.pass(IdleMemoryTrimmer.idleDelay)
            try await eventually("the memory is released again") { given == 2 }
        }
    }

    @Test func `A daemon that has received only a few replies does not release memory`()
        async throws
    {
        var given = 0
        let memory = IdleMemoryTrimmer(head: head, runtime: RuntimeEnvironment(time)) { given += 1 }
        try await running(memory.run) {
            try await advance(by: IdleMemoryTrimmer.minimumEntries - 1)
            time.pass(IdleMemoryTrimmer.idleDelay)
            try await eventually("no timer is set") { time.sleeps.isEmpty && head.readerCount == 1 }
            #expect(given == 0)
            try await advance(by: 1)
            time.pass(IdleMemoryTrimmer.idleDelay)
            try await eventually("the memory is released") { given == 1 }
        }
    }

    /// Advances the head when the trimmer waits for log entries, and waits until the trimmer sleeps.
    private func advance(by count: Int64) async throws {
        try await eventually("the trimmer waits") { head.readerCount == 1 }
        head.advance(to: head.value + count)
        try await waitUntilIdle()
    }

    /// Waits until the trimmer sleeps for the complete idle delay.
    private func waitUntilIdle() async throws {
        try await eventually("the timer is set") { time.sleeps == [IdleMemoryTrimmer.idleDelay] }
    }
}
