import Testing

@testable import Config

struct ConfigurationTextTests {
    private func set(_ existing: String?, _ appID: String = "app_2", _ apiURL: String? = nil) throws -> String
    {
        var text = ConfigurationText(existing: existing, file: file)
        try text.setDefaultAccount(appID: appID, apiURL: apiURL)
        return text.text
    }

    @Test func `A new configuration file contains app_id, api_url and a reference to the manual page`() throws
    {
        let text = try set(nil, "app_1", "http://127.0.0.1:8787")
        #expect(
            text == """
                # Settings of cutied; see cutied.yaml(5) for all keys.
                app_id: app_1
                api_url: http://127.0.0.1:8787

                """)
        #expect(try read(text).accounts.map(\.appID) == ["app_1"])
    }

    @Test func `Changing the App ID preserves comments and other keys`() throws {
        let before = "# mine\n\napp_id: 'app_1'   # the old one\ntransport: poll # slow\n"
        let after = "# mine\n\napp_id: app_2 # the old one\ntransport: poll # slow\n"
        #expect(try set(before) == after)
    }

    @Test func `Setting a key that is commented out replaces the commented line`() throws {
        #expect(
            try set("# about it\n#app_id:\n#api_url: https://api.cuti-e.com\n", "app_2", "https://a.example")
                == "# about it\napp_id: app_2\napi_url: https://a.example\n")
    }

    @Test func `A new key is inserted before the first existing key of the file`() throws {
        #expect(try set("---\n# a\ntransport: poll\n") == "---\n# a\napp_id: app_2\ntransport: poll\n")
    }

    @Test func `Changing the App ID preserves the line endings of the file`() throws {
        #expect(try set("app_id: x\r\ntransport: poll\r\n") == "app_id: app_2\r\ntransport: poll\r\n")
    }

    @Test func `A value that YAML would interpret as another type is quoted`() throws {
        let text = try set(nil, "null")
        #expect(text.hasSuffix("app_id: 'null'\n"))
        #expect(try read(set(nil, "#x'y")).accounts.first?.appID == "#x'y")
    }

    @Test(arguments: [
        "accounts: {default: {app_id: a}}\n", "{app_id: a}\n", "app_id:\n  a\n", "app_id: >\n  a\n",
        "api_url: \"https://\\\n  a.example\"\napp_id: a\n...\n",
    ])
    func `A value that does not fit on one line is rejected, and the file is unchanged`(existing: String)
        throws
    {
        var text = ConfigurationText(existing: existing, file: file)
        #expect(throws: ConfigurationError.self) {
            try text.setDefaultAccount(appID: "b", apiURL: "https://b.example")
        }
        #expect(text.text == existing)
    }

    @Test func `An invalid App ID or address is rejected, as is an invalid configuration file`() throws {
        #expect(throws: ConfigurationError.self) { try set(nil, "") }
        #expect(throws: ConfigurationError.self) { try set(nil, "a b") }
        #expect(throws: ConfigurationError.self) { try set(nil, "a", "http://example.org") }
        #expect(throws: ConfigurationError.self) { try set("transport: [") }
    }
}
