/// The variables that stand over the config file.
struct Environment {
    let values: [String: String]

    var home: String? { self["HOME"] }

    /// nil where it is not set or empty.
    subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// `accounts` with `CUTIED_APP_ID` and `CUTIED_API_URL` in the account `default`, which the first makes
    /// where there is none.
    func overlay(_ accounts: [AccountConfiguration]) throws(ConfigurationError) -> [AccountConfiguration] {
        var accounts = accounts
        let name = AccountConfiguration.defaultName
        if let appID = try value("CUTIED_APP_ID")?.headerValue() {
            if let index = accounts.firstIndex(where: { $0.name == name }) {
                accounts[index].appID = appID
            } else {
                accounts.insert(AccountConfiguration(appID: appID), at: 0)
            }
        }
        if let address = try value("CUTIED_API_URL")?.address(),
            let index = accounts.firstIndex(where: { $0.name == name })
        {
            accounts[index].apiURL = address
        }
        return accounts
    }

    func logLevel() throws(ConfigurationError) -> Configuration.LogLevel? {
        try value("CUTIED_LOG_LEVEL")?.word()
    }

    private func value(_ name: String) -> Value? {
        self[name].map { Value(text: $0, file: "environment", key: name) }
    }
}
