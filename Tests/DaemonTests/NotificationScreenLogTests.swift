import NotificationPolicy
import TestSupport
import Testing

@testable import EventLog
@testable import Notifications

/// Tests of what the journal reports about notification servers.
@MainActor
struct NotificationScreenLogTests {
    private let fixture: IngestFixture
    private let server = FakeNotificationServer()
    private let log = RecordingLog()

    init() throws { fixture = try IngestFixture() }

    private func reports(containing text: String) -> Int { log.lines.count { $0.contains(text) } }

    @Test
    func `Concurrent queries log only one warning for each start of a server that reports no capabilities`()
        async throws
    {
        let screen = fixture.screen(server, try fixture.notificationController(), logger: log.logger)
        for start in 1...2 {
            server.set { ($0.isThere, $0.problem, $0.holdsAdoptions) = (true, "no answer", true) }
            let queries = (1...3).map { _ in Task { _ = await screen.queryServer() } }
            try await eventually("three queries have found the server") { server.adoptions == 3 * start }
            server.set { $0.holdsAdoptions = false }
            for query in queries { await query.value }
            #expect(screen.server != nil)
            #expect(reports(containing: "does not report its capabilities") == start)
            server.set { $0.isThere = false }
            await screen.verifyServer()
            #expect(screen.server == nil)
        }
    }

    @Test func `Concurrent queries log the replacement of the server once`() async throws {
        let screen = fixture.screen(server, try fixture.notificationController(), logger: log.logger)
        await screen.queryServer()
        server.set { ($0.name, $0.holdsQueries) = ("other", true) }
        let queries = (1...3).map { _ in Task { _ = await screen.queryServer() } }
        try await eventually("three queries wait for the server") { server.queries == 4 }
        server.set { $0.holdsQueries = false }
        for query in queries { await query.value }
        #expect(reports(containing: "has stopped") == 1)
    }
}
