import Config
import CutieAPI
import HTTP
@_spi(EventLog) import Store
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

@MainActor
struct AddedAccountsTests {
    private let fixture: IngestFixture
    private let added: AddedAccounts
    private let address: APIAddress

    init() throws {
        fixture = try IngestFixture()
        added = AddedAccounts(store: fixture.store, logger: .silent)
        address = try APIAddress("https://a.example")
    }

    private func app(_ name: String?, group: String? = nil) -> FeedbackApp.Account {
        FeedbackApp.Account(appID: "app_1", appName: name, deviceID: "device_2", groupID: group)
    }

    private func configured(_ name: String) -> AccountConfiguration {
        var account = AccountConfiguration(name: name, appID: "app")
        account.apiURL = address
        account.pollInterval = .seconds(7)
        account.userName = "Ann"
        account.deviceContext = .all
        return account
    }

    /// Applies a configuration in the same way as the account supervisor.
    private func applyConfiguration(_ configured: [AccountConfiguration]) throws -> [AccountConfiguration] {
        let accounts = try added.appendingAddedAccounts(to: configured)
        added.configured = configured
        return accounts
    }

    @Test
    func `An added account uses the API of the existing device account and sends no data about the user`()
        throws
    {
        _ = try applyConfiguration([configured("default")])
        #expect(try added.add(app("My Notes!"), at: address, now: .base) == "my-notes")
        let accounts = try applyConfiguration([configured("default")])
        #expect(accounts.map(\.name) == ["default", "my-notes"])
        let account = try #require(accounts.last)
        #expect(account.appID == "app_1" && account.pollInterval == .seconds(7))
        #expect(account.userName == nil && account.deviceContext == .none)
        let record = try fixture.store.write {
            try $0.accounts.findOrCreate(name: "my-notes", appID: "app_1", apiURL: address.description) {
                "device_other"
            }
        }
        #expect(record.deviceID == "device_2")
    }

    @Test func `Each added account has a different name, and a repeated request adds no second account`()
        throws
    {
        _ = try applyConfiguration([configured("notes")])
        #expect(try added.add(app("Notes", group: "g"), at: address, now: .base) == "notes-2")
        #expect(try added.add(app("Notes", group: "g"), at: address, now: .base) == "notes-2")
        #expect(try added.add(app("Notes", group: "h"), at: address, now: .base) == "notes-3")
        #expect(try added.add(app("…"), at: address, now: .base) == "app")
        #expect(try added.removeAccount(named: "notes-2"))
        #expect(try applyConfiguration([]).map(\.name).sorted() == ["app", "notes-3"])
    }

    @Test func `A configured account replaces an added account of the same name`() throws {
        _ = try applyConfiguration([])
        _ = try added.add(app("Notes"), at: address, now: .base)
        #expect(try applyConfiguration([configured("notes")]) == [configured("notes")])
    }

    @Test func `Removing an app after a rejected configuration change reapplies the active configuration`()
        throws
    {
        let accounts = try fixture.accounts()
        let inForce = accounts.units.map(\.account.configuration)
        var applied: [AccountConfiguration] = []
        let handOver = HandOver(
            accounts: accounts, added: added, httpClient: HTTPClient(), runtime: .still,
            apply: { applied = $0 })
        _ = try applyConfiguration(inForce)
        #expect(try added.appendingAddedAccounts(to: [configured("refused")]).map(\.name) == ["refused"])
        _ = try added.add(app("Notes"), at: address, now: .base)
        try handOver.removeAccount(named: "notes")
        #expect(applied == inForce)
    }

    @Test(arguments: [
        ("", "app"), ("Ünïcode", "n-code"), ("A  B", "a-b"), ("-x-", "x"),
        (String(repeating: "a", count: 500), String(repeating: "a", count: 40)),
    ])
    func `The name of an added account consists of characters that a shell does not interpret`(
        _ app: String, name: String
    ) {
        #expect(AddedAccounts.makeUnusedName(for: app, avoiding: []) == name)
    }
}
