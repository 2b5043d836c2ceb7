import ControlAPI
import HTTP
import Logging
import TestSupport
import Testing

@testable import Daemon

@MainActor
struct HandOverTests {
    @Test func `An API that hangs is given up before the person is, and nothing is promised`() async throws {
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.waitForClose() }
        }
        let desk = try Desk()
        let handOver = HandOver(
            accounts: try desk.accounts(at: server.url),
            added: AddedAccounts(
                store: desk.store, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }),
            transport: Transport(),
            surroundings: Surroundings(clock: Fast(), now: { .base }, random: { 0.5 }), apply: { _ in })
        let began = ContinuousClock.now
        let failure = await #expect(throws: Offline.self) { try await handOver.give(nil) }
        #expect(failure?.reason.contains("again later") == false)
        // HTTP's own limit is 30 s, after which `ctl` has gone.
        #expect(ContinuousClock.now - began < .seconds(25))
    }
}

/// A second lasts a hundredth of one.
private struct Fast: Clock {
    var now: ContinuousClock.Instant { ContinuousClock.now }
    let minimumResolution = Duration.nanoseconds(1)

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(for: (deadline - now) / 100)
    }
}
