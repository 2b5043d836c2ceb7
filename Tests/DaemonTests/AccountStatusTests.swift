import ControlAPI
import CutieAPI
import Domain
import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

@MainActor
struct AccountStatusTests {
    @Test func `The status of an account contains its kind, App ID and device`() async throws {
        let fixture = try IngestFixture()
        let status = try await fixture.status(of: fixture.accounts()).getStatus(GetStatus())
        let account = try #require(status.accounts.first)
        #expect(account.kind == .device && account.scopes == [] && account.auth == .unknown)
        #expect(account.appId == "app" && account.deviceId == "device_1")
    }

    @Test
    func `An account that the API refuses is reported as unauthenticated until the API accepts it again`()
        async throws
    {
        let api = try ScriptedAPI([
            ScriptedAPI.list: { connection, _, asked in
                asked == 0 && connection.answer("403 Forbidden", body: #"{"error":"not you"}"#)
            }
        ])
        let fixture = try IngestFixture()
        defer { withExtendedLifetime(fixture) {} }
        let unit = try fixture.unit(at: api.url, random: 0)
        #expect(unit.authentication == .unknown)
        try await running(unit.feed.run) {
            try await eventually("the feed is stopped") { unit.feed.status.state == .stopped }
            #expect(unit.authentication == .unauthenticated)
            unit.feed.reconnect(because: .user)
            #expect(unit.feed.status.state == .connecting && unit.authentication == .unauthenticated)
            try await eventually("the feed is connected") { unit.feed.status.state == .connected }
            #expect(unit.authentication == .authenticated)
        }
    }

    @Test func `Two accounts without a device do not count as linked devices`() {
        let members = [1, 2].map {
            SharedInboxes.Member(
                account: .init(rawValue: $0), name: "\($0)", address: "https://a.example", device: nil,
                group: nil, isConnected: true)
        }
        #expect(SharedInboxes(members).siblings(of: .init(rawValue: 1)).isEmpty)
    }
}
