/// The text of a config file, changed line by line so that a person's own words in it stay.
public struct ConfigurationText: Sendable {
    public private(set) var text: String
    private let file: String

    /// `existing` is what `file` holds now; nil where there is no such file.
    public init(existing: String?, file: String) {
        self.file = file
        text = existing ?? "# Settings of cutied; the config.yaml of its documentation tells them all.\n"
    }

    /// Sets the App ID of the account `default`, and its API address unless nil. Throws where a value or the
    /// text is bad, and where the text spells that account so that no change of single lines can set it.
    public mutating func set(appID: String, apiURL: String?) throws(ConfigurationError) {
        var alone = ConfigurationLines("")
        if let apiURL { alone.set("api_url", to: apiURL) }
        alone.set("app_id", to: appID)
        guard let wanted = try Configuration(yaml: alone.text, file: file).accounts.first else {
            throw ConfigurationError(file: file, key: "app_id", sentence: "is empty; give an App ID")
        }
        let before = try Configuration(yaml: text, file: file)
        var changed = ConfigurationLines(text)
        if let apiURL { changed.set("api_url", to: apiURL) }
        changed.set("app_id", to: appID)
        guard let after = try? Configuration(yaml: changed.text, file: file),
            differs(after, from: before, onlyBy: wanted, address: apiURL != nil)
        else {
            throw ConfigurationError(
                file: file, key: "app_id",
                sentence: "stands where no single line sets it; edit the file by hand")
        }
        text = changed.text
    }

    private func differs(
        _ after: Configuration, from before: Configuration, onlyBy wanted: AccountConfiguration, address: Bool
    ) -> Bool {
        var (after, before) = (after, before)
        guard let account = after.removeAccount(named: wanted.name) else { return false }
        var expected = before.removeAccount(named: wanted.name) ?? account
        expected.appID = wanted.appID
        if address { expected.apiURL = wanted.apiURL }
        return account == expected && after == before
    }
}

extension Configuration {
    fileprivate mutating func removeAccount(named name: String) -> AccountConfiguration? {
        accounts.firstIndex { $0.name == name }.map { accounts.remove(at: $0) }
    }
}
