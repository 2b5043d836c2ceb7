import CutieAPI
import Reasons
import Testing

@testable import Config

struct AccountsTests {
    @Test
    func `The account defined by top-level keys is listed first, followed by named accounts in file order`()
        throws
    {
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

    @Test
    func `An error is reported if the default account is defined both at the top level and in "accounts"`()
        throws
    {
        #expect(
            try complaint("app_id: app_1\naccounts:\n  default: {app_id: app_2}\n")
                == ":3: accounts.default: is also the account of the top-level keys; write its keys in one place"
        )
    }

    @Test func `A top-level account key is rejected if the file defines only named accounts`()
        throws
    {
        #expect(
            try complaint("accounts:\n  work: {app_id: app_2}\ntransport: poll\n")
                == ":3: transport: belongs to the account default, which has no app_id; write it below accounts"
        )
    }

    @Test func `A named account without an App ID is rejected`() throws {
        #expect(
            try complaint("accounts:\n  work: {transport: poll}\n")
                == ":2: accounts.work: has no app_id; add the App ID from the admin dashboard")
    }

    @Test func `A default account without an App ID is ignored`() throws {
        #expect(try read("accounts: {default: {transport: poll}}").accounts.isEmpty)
    }

    @Test(arguments: ["-work", "my work", "wörk", "a/b", String(repeating: "a", count: 65)])
    func `An account name with characters that are not allowed on the command line is rejected`(name: String)
        throws
    {
        #expect(
            try complaint("accounts: {\"\(name)\": {app_id: app_1}}").contains("is not a valid account name"))
    }

    @Test func `Environment variables override the keys of the default account`() throws {
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

    @Test func `Environment variables create the default account if the file does not define it`() throws {
        let environment = ["CUTIED_APP_ID": "app_9", "CUTIED_API_URL": ""]
        #expect(try read("", environment: environment).accounts == [AccountConfiguration(appID: "app_9")])
        #expect(
            try read("accounts: {work: {app_id: app_2}}", environment: environment).accounts.map(\.name)
                == ["default", "work"])
    }

    @Test func `The error for an invalid environment variable contains the variable's name`() throws {
        let error = try #require(throws: ConfigurationError.self) {
            try read("app_id: app_1", environment: ["CUTIED_API_URL": "http://example.org"])
        }
        #expect(error.description.hasPrefix("environment: CUTIED_API_URL: plain http is allowed only for"))
    }
}

struct SignInConfigurationTests {
    @Test func `A staff account does not require an App ID`() throws {
        let configuration = try read("kind: staff\napi_url: https://a.example\naccounts: {home: {app_id: a}}")
        #expect(configuration.accounts.map(\.kind) == [.staff, .device])
        #expect(configuration.accounts[0].signIn.clientID == "cutied")
        #expect(configuration.accounts[0].notify == [.mine, .unassigned])
        #expect(try read("accounts: {work: {kind: identity}}").accounts.map(\.kind) == [.identity])
    }

    @Test func `The sign-in settings of a staff account are parsed`() throws {
        let account = try #require(
            try read(
                """
                kind: staff
                issuer: https://login.example/realm/
                client_id: tool
                client_secret_file: ~/secret
                scopes: [openid, "messages:write"]
                notify: all
                """, environment: ["HOME": "/home/anna"]
            ).accounts.first)
        // The trailing slash is part of the issuer identifier and must be preserved.
        #expect(account.signIn.issuer == "https://login.example/realm/")
        #expect(account.signIn.clientID == "tool")
        #expect(account.signIn.clientSecretFile == "/home/anna/secret")
        #expect(account.signIn.scopes == ["openid", "messages:write"])
        #expect(account.notify == [.all])
        #expect(
            try read("kind: staff\nscopes: openid email").accounts[0].signIn.scopes == ["openid", "email"])
        #expect(try read("kind: staff\nnotify: []").accounts[0].notify == [])
    }

    @Test(arguments: [
        (
            "app_id: a\nkind: staff",
            ":1: app_id: is only for accounts of the kind device; remove it, or remove `kind`"
        ),
        ("kind: admin", ":1: kind: must be one of device, staff, identity"),
        ("kind: staff\nissuer: http://login.example", ":2: issuer: plain http is allowed only for"),
        ("kind: staff\nclient_secret_file: secret", ":2: client_secret_file: must be an absolute path"),
        ("kind: staff\nscopes: ['a b']", ":2: scopes: must be a list of scopes, such as"),
        ("kind: staff\nnotify: [mine, other]", ":2: notify[1]: must be one of mine, unassigned, all"),
    ])
    func `The error for an invalid setting of a staff account contains its line and key`(
        text: String, complaint sentence: String
    )
        throws
    {
        #expect(try complaint(text).hasPrefix(sentence))
    }

    @Test func `An App ID from the environment is rejected for a staff account`() throws {
        let error = try #require(throws: ConfigurationError.self) {
            try read("kind: staff", environment: ["CUTIED_APP_ID": "app_1"])
        }
        #expect(
            error.description.hasPrefix("environment: CUTIED_APP_ID: is only for accounts of the kind device")
        )
    }

    @Test(arguments: [
        ("", "default", "api_url: https://a.example\nkind: staff\n"),
        (
            "app_id: a\n", "staff",
            "app_id: a\naccounts:\n  staff:\n    api_url: https://a.example\n    kind: staff\n"
        ),
        (
            "accounts:\n  desk:\n    kind: staff\n", "desk",
            "accounts:\n  desk:\n    kind: staff\n    api_url: https://a.example\n"
        ),
    ])
    func `Adding a staff account a second time does not change the configuration again`(
        before: String, name: String, after: String
    )
        throws
    {
        var text = ConfigurationText(existing: before, file: file)
        #expect(try text.addOrUpdateStaffAccount(apiURL: "https://a.example") == name)
        #expect(text.text == after)
        #expect(try text.makeConfiguration().accounts.last?.kind == .staff)
        let once = text.text
        _ = try text.addOrUpdateStaffAccount(apiURL: nil)
        #expect(text.text == once)
    }
}
