import CutieAPI

/// The text of a config file, changed line by line so that a person's own words in it stay.
public struct ConfigurationText: Sendable {
    public private(set) var text: String
    private let file: String
    private let environment: [String: String]

    /// - Parameters:
    ///   - existing: what `file` holds now; nil where there is no such file.
    ///   - home: where paths with `~/` begin.
    public init(existing: String?, file: String, home: String? = nil) {
        self.file = file
        environment = home.map { ["HOME": $0] } ?? [:]
        text = existing ?? "# Settings of cutied; the config.yaml of its documentation tells them all.\n"
    }

    /// What the text says.
    public func configuration() throws(ConfigurationError) -> Configuration {
        try Configuration(bytes: text.utf8, file: file, environment: environment)
    }

    /// Makes all of `changes` or none. Whatever else the file says, and how it says it, stays: comments, order,
    /// indentation, blank lines and the ends of lines.
    ///
    /// Throws where a value or the text is bad, and where the text spells a key so that no change of single
    /// lines can set it: with file, line where there is one, and key.
    public mutating func apply(_ changes: [ConfigurationChange]) throws(ConfigurationError) {
        _ = try configuration()
        var changed = self
        for change in changes {
            changed.text = try ConfigurationEditor(changed.text, file: file, key: change.key)
                .text(with: change.value)
        }
        _ = try changed.configuration()
        self = changed
    }

    /// Sets one key, or takes it away where `value` is nil. Throws as `apply`.
    public mutating func set(
        _ key: ConfigurationKey, to value: ConfigurationValue?
    ) throws(ConfigurationError) {
        try apply([ConfigurationChange(key, value)])
    }

    /// Sets the App ID of the account `default`, and its API address unless nil. Throws as `apply`.
    public mutating func set(appID: String, apiURL: String?) throws(ConfigurationError) {
        let name = AccountConfiguration.defaultName
        let values = [("api_url", apiURL), ("app_id", appID)]
        // What is wrong with a value is said of the value, not of a line that is not in the file yet.
        let alone = values.compactMap { key, value in
            value.map { key + ": " + ConfigurationValue.text($0).written + "\n" }
        }
        guard try !Configuration(yaml: alone.joined(), file: file).accounts.isEmpty else {
            throw ConfigurationError(file: file, key: "app_id", sentence: "is empty; give an App ID")
        }
        try apply(
            values.compactMap { key, value in
                guard let value, let key = try? self.key(key, ofAccount: name) ?? ConfigurationKey(key) else {
                    return nil
                }
                return ConfigurationChange(key, .text(value))
            })
    }

    /// Makes an account of staff, or sets the API address of the one that is there; nil leaves it. Returns its
    /// name: `default` where there was no account, else `staff`. Throws as `apply`.
    public mutating func setStaff(apiURL: String?) throws(ConfigurationError) -> String {
        let accounts = try configuration().accounts
        let known = accounts.first { $0.kind == .staff }?.name
        let name = known ?? (accounts.isEmpty ? AccountConfiguration.defaultName : "staff")
        let values = [("api_url", apiURL), ("kind", AccountConfiguration.Kind.staff.rawValue)]
        try apply(
            values.compactMap { key, value in
                let place = try? self.key(key, ofAccount: name)
                let key = place ?? ConfigurationKey(accounts.isEmpty ? key : "accounts.\(name).\(key)")
                guard let value, let key else { return nil }
                return ConfigurationChange(key, .text(value))
            })
        return name
    }

    /// Adds an account beside those that are there, or as the first one. `apiURL`: `nil` for the hosted service; `taken`:
    /// keys of accounts that are not in the text. Returns its key; `nil` if such an account is there already. Throws as
    /// `apply`.
    public mutating func add(
        _ new: NewAccount, apiURL: String?, taken: Set<String> = []
    ) throws(ConfigurationError) -> String? {
        let accounts = try configuration().accounts
        guard !accounts.contains(where: { new.isSame(as: $0, at: apiURL) }) else { return nil }
        let name =
            accounts.isEmpty
            ? AccountConfiguration.defaultName : new.key(besides: taken.union(accounts.map(\.name)))
        let prefix = accounts.isEmpty ? "" : "accounts.\(name)."
        try apply(
            (new.values + [("api_url", apiURL)]).compactMap { key, value in
                guard let value, let key = ConfigurationKey(prefix + key) else { return nil }
                return ConfigurationChange(key, .text(value))
            })
        return name
    }

    /// The key by which `account` has its own `name`, such as `user_name`: at the top of the file or below
    /// `accounts`. nil where the text has no such account, or the account no such key.
    public func key(_ name: String, ofAccount account: String) throws(ConfigurationError) -> ConfigurationKey?
    {
        let root = YAMLTree(try YAMLDocument.root(of: text, file: file))
        if case .group(let top) = root, case .group(let accounts)? = top["accounts"], accounts[account] != nil
        {
            return ConfigurationKey("accounts.\(account).\(name)")
        }
        guard account == AccountConfiguration.defaultName else { return nil }
        guard try configuration().accounts.contains(where: { $0.name == account }) else { return nil }
        return ConfigurationKey(name)
    }
}

/// An account to add.
public enum NewAccount: Hashable, Sendable {
    /// A person's device of the app with this App ID.
    case device(appID: String)
    case staff

    fileprivate var values: [(String, String?)] {
        switch self {
        case .device(let appID): [("app_id", appID)]
        case .staff: [("kind", AccountConfiguration.Kind.staff.rawValue)]
        }
    }

    fileprivate func isSame(as account: AccountConfiguration, at apiURL: String?) -> Bool {
        let isSameAddress = "\(account.apiURL)" == apiURL ?? "\(APIAddress.production)"
        return switch self {
        case .device(let appID): isSameAddress && account.kind == .device && account.appID == appID
        case .staff: isSameAddress && account.kind == .staff
        }
    }

    /// Returns a free key: `app`, `app-2` and so on.
    fileprivate func key(besides taken: Set<String>) -> String {
        let base = if case .staff = self { "staff" } else { "app" }
        guard taken.contains(base) else { return base }
        return (2...).lazy.map { "\(base)-\($0)" }.first { !taken.contains($0) } ?? base
    }
}
