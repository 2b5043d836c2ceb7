import Desktop
import Store
import TestSupport
import Testing

@testable import Daemon

/// The notification server is away, or dies.
extension AnnouncerTests {
    @Test func `Without a server and with nothing to show there is no timer`() async throws {
        server.set { $0.isThere = false }
        let announcer = announcer()
        try await running(announcer.run) {
            try await eventually("it rests") { announcer.isIdle }
            #expect(announcer.wakeAt == nil)
        }
    }
}
