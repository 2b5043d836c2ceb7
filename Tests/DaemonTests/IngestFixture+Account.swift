import Config
import ControlAPI
import CutieAPI
import Domain
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

extension IngestFixture {
    /// Returns the fixture's account with the same dependencies as in the daemon, and with the API at `url`.
    ///
    /// - Parameters:
    ///   - random: the constant value of the random source.
    ///   - machine: `nil` for a machine with its own secrets.
    func unit(
        at url: String = "http://127.0.0.1:1", by transport: TransportKind? = .poll,
        every interval: Duration? = nil, random: Double = 0.999, machine: Machine? = nil
    ) throws -> AccountUnit {
        let accounts = AccountRegistry(log: log)
        let supervisor = try supervisor(of: accounts, on: machine, random: random)
        var configuration = try AccountConfiguration.sample(at: url)
        configuration.transport = transport
        if let interval { configuration.pollInterval = interval }
        try supervisor.applyConfigurations([configuration])
        return try #require(accounts.units.first)
    }

    /// Runs the feed, the outbox and the push registration of the account. Runs `body` once the account is
    /// connected.
    func runConnected(
        with api: ScriptedAPI, random: Double = 0, _ body: @MainActor (AccountUnit) async throws -> Void
    ) async throws {
        let accounts = AccountRegistry(log: log)
        let supervisor = try supervisor(of: accounts, random: random)
        var configuration = try AccountConfiguration.sample(at: api.url)
        configuration.transport = .stream
        try supervisor.applyConfigurations([configuration])
        let unit = try #require(accounts.units.first)
        try await running(supervisor.run) {
            try await unit.waitUntilConnected(api, streams: 1)
            try await body(unit)
        }
    }
}

@MainActor
extension AccountUnit {
    // All accounts of a fixture are device accounts.
    var registration: DeviceAuthorizer { get throws { try requireDevice().registration } }
    var attestor: Attestor { get throws { try requireDevice().attestor } }
    var push: PushRegistrar { get throws { try requireDevice().push } }

    /// Returns when the account is connected and has opened `streams` streams in total.
    func waitUntilConnected(_ api: ScriptedAPI, streams: Int) async throws {
        try await eventually("stream \(streams)") {
            api.requestCount(of: ScriptedAPI.stream) == streams && feed.status.state == .connected
        }
    }
}
