import Config
import ControlAPI
import CutieAPI
import TestSupport
import Testing

@testable import Daemon

extension Desk {
    /// Runs `body` with an account whose feed, outbox and push address are at work, and connected. Where the
    /// wall clock stands, what waits in the outbox goes only where it is sent for.
    func atWork(
        with api: FickleAPI, random: Double = 0, now: @escaping @Sendable () -> Timestamp = { .base },
        _ body: @MainActor (AccountUnit) async throws -> Void
    ) async throws {
        let accounts = Accounts(store: store)
        let keeper = try keeper(
            of: accounts, Surroundings(clock: ContinuousClock(), now: now, random: { random }))
        var configuration = try AccountConfiguration.sample(at: api.url)
        configuration.transport = .stream
        try keeper.apply([configuration])
        let unit = try #require(accounts.units.first)
        try await running(keeper.run) {
            try await unit.connected(api, streams: 1)
            try await body(unit)
        }
    }
}

@MainActor
extension AccountUnit {
    /// Returns when it is connected by the stream of that number.
    func connected(_ api: FickleAPI, streams: Int) async throws {
        try await eventually("stream \(streams)", within: .seconds(10)) {
            api.streams == streams && feed.status.state == .connected
        }
    }
}
