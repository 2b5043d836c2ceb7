import Config
import ControlAPI
import CutieAPI
import HTTP
import Logging
import Reasons
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

@MainActor
struct HandOverTests {
    @Test func `If the API hangs, creating a Feedback App link times out and returns no token`() async throws
    {
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.waitForClose() }
        }
        let fixture = try IngestFixture(.never)
        let handOver = HandOver(
            accounts: try fixture.accounts(at: server.url),
            added: AddedAccounts(
                store: fixture.store, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }),
            httpClient: HTTPClient(), runtime: fixture.runtime, apply: { _ in })
        let giving = Task { try await handOver.createOffer(nil) }
        try await eventually("the timer is set") { !fixture.time.sleeps.isEmpty }
        // The timeout must be shorter than the general HTTP timeout of 30 s, because `ctl` exits before 30 s.
        fixture.time.pass(.seconds(25))
        let failure = await #expect(throws: Offline.self) { try await asClient { try await giving.value } }
        #expect(failure?.reason.contains("again later") == false)
    }

    @Test(arguments: [
        (false, "the service does not accept the App ID app; check `app_id` in the configuration"),
        (true, "the service does not accept the App ID app; report the problem to the developer of the app"),
    ])
    func `The advice about a refused App ID mentions the configuration only if it contains the App ID`(
        isAdded: Bool, sentence: String
    ) async throws {
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil {
                connection.answer("401 Unauthorized", body: #"{"error":"no such app"}"#)
            }
        }
        let fixture = try IngestFixture()
        let added = AddedAccounts(store: fixture.store, logger: .silent)
        let address = try APIAddress(server.url)
        if isAdded {
            let app = FeedbackApp.Account(appID: "app", deviceID: "device_2", groupID: nil)
            _ = try added.add(app, at: address, now: .base)
        } else {
            added.configured = [try .sample(at: server.url)]
        }
        let accounts = AccountRegistry(log: fixture.log)
        try fixture.supervisor(of: accounts).applyConfigurations(
            added.appendingAddedAccounts(to: added.configured))
        let handOver = HandOver(
            accounts: accounts, added: added, httpClient: HTTPClient(), runtime: fixture.runtime,
            apply: { _ in })
        let failure = await #expect(throws: NotAuthorized.self) {
            try await asClient { try await handOver.createOffer(nil) }
        }
        #expect(failure?.reason == sentence)
        let unit = try #require(accounts.units.first)
        let refusal = await #expect(throws: APIFailure.self) {
            try await unit.feed.client.register(Registration(appID: "app"))
        }
        #expect(refusal?.reason.english == sentence)
    }
}
