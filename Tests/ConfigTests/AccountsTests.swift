import CutieAPI
import Testing

@testable import Config

struct AccountsTests {
    @Test func `Accounts keep the order of the file, the one of the keys at the top first`() throws {
        let configuration = try read(
            """
            accounts:
              work: {app_id: app_2}
              home: {app_id: app_3}
            app_id: app_1
            """)
        #expect(configuration.accounts.map(\.name) == ["default", "work", "home"])
        #expect(configuration.accounts.map(\.appID) == ["app_1", "app_2", "app_3"])
    }

    @Test func `The account default in both spellings is an error`() throws {
        #expect(
            try complaint("app_id: app_1\naccounts:\n  default: {app_id: app_2}\n")
                == ":3: accounts.default: is the account of the keys at the top too; write its keys in one place"
        )
    }

    @Test func `A key at the top is not for the accounts below`() throws {
        #expect(
            try complaint("accounts:\n  work: {app_id: app_2}\ntransport: poll\n")
                == ":3: transport: is of the account default, which has no app_id; write it below accounts")
    }

    @Test func `A named account needs an App ID`() throws {
        #expect(
            try complaint("accounts:\n  work: {transport: poll}\n")
                == ":2: accounts.work: has no app_id; write the App ID of the admin dashboard")
    }

    @Test func `An account default without an App ID is no account yet`() throws {
        #expect(try read("accounts: {default: {transport: poll}}").accounts.isEmpty)
    }

    @Test(arguments: ["-work", "my work", "wörk", "a/b", String(repeating: "a", count: 65)])
    func `A name that cannot be typed is refused`(name: String) throws {
        #expect(
            try complaint("accounts: {\"\(name)\": {app_id: app_1}}").contains("is no name for an account"))
    }

    @Test func `The environment stands over the account default`() throws {
        let configuration = try read(
            "app_id: app_1\ntransport: poll\naccounts: {work: {app_id: app_2}}",
            environment: [
                "CUTIED_APP_ID": "app_9", "CUTIED_API_URL": "http://localhost:1", "CUTIED_LOG_LEVEL": "trace",
            ])
        #expect(configuration.accounts.map(\.appID) == ["app_9", "app_2"])
        #expect(
            configuration.accounts.map(\.apiURL.description) == [
                "http://localhost:1", "https://api.cuti-e.com",
            ])
        #expect(configuration.accounts[0].transport == .poll)
        #expect(configuration.logLevel == .trace)
    }

    @Test func `The environment makes the account default where there is none`() throws {
        let environment = ["CUTIED_APP_ID": "app_9", "CUTIED_API_URL": ""]
        #expect(try read("", environment: environment).accounts == [AccountConfiguration(appID: "app_9")])
        #expect(
            try read("accounts: {work: {app_id: app_2}}", environment: environment).accounts.map(\.name)
                == ["default", "work"])
    }

    @Test func `A bad variable of the environment is named`() throws {
        let error = try #require(throws: ConfigurationError.self) {
            try read("app_id: app_1", environment: ["CUTIED_API_URL": "http://example.org"])
        }
        #expect(error.description.hasPrefix("environment: CUTIED_API_URL: plain http is for"))
    }
}
