import TestSupport
import Testing

@testable import Daemon
@testable import Log

@MainActor
@Suite struct IdleMemoryTests {
    private let time = ManualTime()
    private let head = Head(7)

    @Test func `It is given back once nothing has happened for minutes, and not while something does`()
        async throws
    {
        var given = 0
        let memory = IdleMemory(head: head, surroundings: Surroundings(time)) { given += 1 }
        try await running(memory.run) {
            try await rest()
            head.move(to: 8)
            time.pass(IdleMemory.pause)
            try await rest()
            #expect(given == 0)
            time.pass(IdleMemory.pause)
            try await eventually("it is given back") { given == 1 }
        }
    }

    @Test func `Who stays idle is not woken again, and what comes later is given back, too`() async throws {
        var given = 0
        let memory = IdleMemory(head: head, surroundings: Surroundings(time)) { given += 1 }
        try await running(memory.run) {
            try await rest()
            time.pass(IdleMemory.pause)
            try await eventually("it is given back") { given == 1 }
            #expect(time.sleeps.isEmpty)
            head.move(to: 8)
            try await rest()
            time.pass(IdleMemory.pause)
            try await eventually("it is given back again") { given == 2 }
        }
    }

    /// Returns when the job sleeps for the whole period.
    private func rest() async throws {
        try await eventually("it rests") { time.sleeps == [IdleMemory.pause] }
    }
}
