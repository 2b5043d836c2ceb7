import ControlAPI
import HTTP
import Logging
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

@MainActor
struct HandOverTests {
    @Test func `If the API hangs, a hand-over times out and returns no token`() async throws {
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.waitForClose() }
        }
        let fixture = try IngestFixture(.never)
        let handOver = HandOver(
            accounts: try fixture.accounts(at: server.url),
            added: AddedAccounts(
                store: fixture.store, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }),
            httpClient: HTTPClient(), surroundings: fixture.surroundings, apply: { _ in })
        let giving = Task { try await handOver.createOffer(nil) }
        try await eventually("it is waited for") { !fixture.time.sleeps.isEmpty }
        // The general HTTP timeout is 30 s, by which time `ctl` has exited.
        fixture.time.pass(.seconds(25))
        let failure = await #expect(throws: Offline.self) { try await asClient { try await giving.value } }
        #expect(failure?.reason.contains("again later") == false)
    }
}
