import Config
import CutieAPI
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

@MainActor
struct ClosedAccountTests {
    /// If this event caused an error, the whole daemon would stop.
    @Test func `The daemon keeps running if an event arrives for an account that was just closed`()
        async throws
    {
        let gate = Gate()
        let endedStreams = Shared(0)
        let api = try ScriptedAPI([
            ScriptedAPI.stream: { connection, _, _ in
                connection.beginStream()
                gate.pass()
                connection.event("e1", "badge", #"{"total_unread":0}"#)
                connection.waitForClose()
                endedStreams.value += 1
                return true
            }
        ])
        let fixture = try IngestFixture()
        let accounts = AccountRegistry(log: fixture.log)
        let supervisor = try fixture.supervisor(of: accounts)
        var configuration = try AccountConfiguration.sample(at: api.url)
        try supervisor.applyConfigurations([configuration])
        let unit = try #require(accounts.units.first)
        try await running(supervisor.run) {
            try await eventually("the feed uses the stream") { unit.feed.status.transport == "stream" }
            try fixture.ingest.setOpenAccounts([:])
            gate.open()
            try await eventually("the stream is ended") { endedStreams.value >= 1 }
            configuration.userName = "Bob"
            try supervisor.applyConfigurations([configuration])
            try await eventually("the next configuration is connected") {
                accounts.units.first?.feed.status.transport == "stream"
            }
        }
    }
}
