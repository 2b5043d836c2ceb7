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
            try await rest()
            head.advance(to: 8)
            time.pass(IdleMemoryTrimmer.idleDelay)
            try await rest()
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
            try await rest()
            time.pass(IdleMemoryTrimmer.idleDelay)
            try await eventually("the memory is released") { given == 1 }
            #expect(time.sleeps.isEmpty)
            head.advance(to: 8)
            try await rest()
            time.pass(IdleMemoryTrimmer.idleDelay)
            try await eventually("the memory is released again") { given == 2 }
        }
    }

    /// Waits until the trimmer sleeps for the complete idle delay.
    private func rest() async throws {
        try await eventually("the timer is set") { time.sleeps == [IdleMemoryTrimmer.idleDelay] }
    }
}
