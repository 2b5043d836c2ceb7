import Foundation
import Testing

@testable import Platform

struct ClockJumpsTests {
    /// Sets the clock to what it shows, which every program on the machine is told: only where that is wanted.
    private static let mayBeSet = ProcessInfo.processInfo.environment["CUTIED_TEST_SET_CLOCK"] != nil

    @Test(.enabled(if: mayBeSet, "sets the machine's clock; CUTIED_TEST_SET_CLOCK=1 as root allows it"))
    func `A clock that is set is told, and again the next time`() async throws {
        var jumps = try ClockJumps.watch().makeAsyncIterator()
        for _ in 0..<2 {
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            try #require(clock_settime(CLOCK_REALTIME, &now) == 0)
            #expect(await jumps.next() != nil)
        }
    }

    @Test func `A watch that nobody reads ends`() async throws {
        let jumps = try ClockJumps.watch()
        let task = Task { for await _ in jumps {} }
        task.cancel()
        await task.value
    }
}
