import Config
import ControlAPI
import CutieAPI
import Domain
import HTTP
import Logging
import Reasons
import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

@MainActor
struct HandOverTests {
    @Test func `Creating a Feedback App link times out and returns no token if the API hangs`() async throws {
        let server = try RawServer { connection, _ in
            while connection.readRequest() != nil { connection.waitForClose() }
        }
        let fixture = try IngestFixture(.never)
        let handOver = HandOver(
            accounts: try fixture.accounts(at: server.url),
            added: AddedAccounts(
                store: fixture.store, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }),
            httpClient: HTTPClient(), runtime: fixture.runtime, apply: { _ in })
        let giving = Task { try await handOver.createOffer(account: nil) }
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
    func `If a refused App ID comes from the configuration file, the advice mentions the configuration`(
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
            try await asClient { try await handOver.createOffer(account: nil) }
        }
        #expect(failure?.reason == sentence)
        let unit = try #require(accounts.units.first)
        let refusal = await #expect(throws: APIFailure.self) {
            try await unit.feed.client.register(Registration(appID: "app"))
        }
        #expect(refusal?.reason.english == sentence)
    }

    @Test(arguments: [
        (#","app_name":"Atlas""#, "Maps", "Atlas", "atlas"),
        ("", "Maps", "Maps", "maps"),
        (#","app_name":"""#, "Maps", "Maps", "maps"),
        (#","app_name":"At\u202Elas""#, "Maps", "Maps", "maps"),
        (#","app_name":"\n\u001B[31m""#, nil, nil, "app-7"),
        ("", nil, nil, "app-7"),
    ])
    func `An added account has the name that the API reports, or the name in the question`(
        member: String, asked: String?, name: String?, account: String
    ) async throws {
        let server = try ScriptedAPI([
            "POST /v1/feedback-app/redeem": { connection, _, _ in
                connection.answer(body: #"{"app_id":"app_7","device_id":"device_1"\#(member)}"#)
            }
        ])
        let fixture = try IngestFixture()
        let added = AddedAccounts(store: fixture.store, logger: .silent)
        let handOver = HandOver(
            accounts: AccountRegistry(log: fixture.log), added: added, httpClient: HTTPClient(),
            runtime: fixture.runtime, apply: { _ in })
        let result = try await handOver.redeem(
            FeedbackToken("t"), account: nil, api: APIAddress(server.url), appName: asked)
        #expect(result == account)
        #expect(try added.fetchAll().map(\.appName) == [name])
    }

    @Test(arguments: ["empty", "redirect", "page"])
    func `The error for an API address from a link does not advise changing the configuration`(
        response: String
    ) async throws {
        let server = try ScriptedAPI([
            "POST /v1/feedback-app/redeem": { connection, _, _ in
                switch response {
                case "empty": connection.answer(body: #"{"app_id":"","device_id":"root"}"#)
                case "redirect": connection.answer("302 Found", ["Location: https://other.example/"])
                default: connection.answer(body: "<html>")
                }
            }
        ])
        let fixture = try IngestFixture()
        let handOver = HandOver(
            accounts: AccountRegistry(log: fixture.log),
            added: AddedAccounts(store: fixture.store, logger: .silent), httpClient: HTTPClient(),
            runtime: fixture.runtime, apply: { _ in })
        do {
            _ = try await handOver.redeem(FeedbackToken("t"), account: nil, api: APIAddress(server.url))
            Issue.record("an account was added")
        } catch ServiceError.invalidResponse(let reason, let peer) {
            #expect(peer == "service" && reason.englishAdvice == nil)
            if response == "redirect" {
                #expect(reason.english.hasSuffix("redirects to https://other.example"), "\(reason.english)")
            }
        }
    }
}
