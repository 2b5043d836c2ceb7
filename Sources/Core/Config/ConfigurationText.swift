import CutieAPI
import Reasons

/// The text of a config file. Edits replace single lines, so the user's comments and formatting are
/// preserved.
public struct ConfigurationText: Sendable {
    public private(set) var text: String
    private let file: String
    private let environment: [String: String]

    /// Creates the text of a config file.
    ///
    /// - Parameters:
    ///   - existing: the content of `file`; `nil` if the file does not exist.
    ///   - home: the directory that replaces `~` in paths.
    public init(existing: String?, file: String, home: String? = nil) {
        self.file = file
        environment = home.map { ["HOME": $0] } ?? [:]
        text = existing ?? "# Settings of cutied; see cutied.yaml(5) for all keys.\n"
    }

    public func makeConfiguration() throws(ConfigurationError) -> Configuration {
        try Configuration(bytes: text.utf8, file: file, environment: environment)
    }

    /// Applies all of `changes` or none. Comments, order, indentation, blank lines and line endings are
    /// preserved.
    ///
    /// - Throws: an error if a value or the file is invalid, or if the key has a form that cannot be edited
    ///   line by line. The error contains the file, the key and, if known, the line.
    public mutating func apply(_ changes: [ConfigurationChange]) throws(ConfigurationError) {
        _ = try makeConfiguration()
        var changed = self
        for change in changes {
            changed.text = try ConfigurationEditor(changed.text, file: file, key: change.key)
                .editedText(settingKeyTo: change.value)
        }
        _ = try changed.makeConfiguration()
        self = changed
    }

    /// Sets one key; if `value` is `nil`, removes the key. Throws like `apply`.
    public mutating func set(
        _ key: ConfigurationKey, to value: ConfigurationValue?
    ) throws(ConfigurationError) {
        try apply([ConfigurationChange(key, value)])
    }

    /// Sets the App ID of the account `default` and, unless `apiURL` is `nil`, its API address. Throws like
    /// `apply`.
    public mutating func setDefaultAccount(appID: String, apiURL: String?) throws(ConfigurationError) {
        let name = AccountConfiguration.defaultName
        let values = [("api_url", apiURL), ("app_id", appID)]
        // Validate the values before editing the file. If an edit inserted an invalid value, the error would
        // contain a line number that does not exist in the user's file.
        let alone = values.compactMap { key, value in
            value.map { key + ": " + ConfigurationValue.text($0).written + "\n" }
        }
        guard try !Configuration(yaml: alone.joined(), file: file).accounts.isEmpty else {
            throw ConfigurationError(file: file, key: "app_id", problem: Reason(.appIDEmpty))
        }
        try apply(
            values.compactMap { key, value in
                guard let value,
                    let key = try? self.makeKey(forSetting: key, ofAccount: name) ?? ConfigurationKey(key)
                else {
                    return nil
                }
                return ConfigurationChange(key, .text(value))
            })
    }

    /// Adds a staff account, or sets the API address of the existing staff account, and returns the account's
    /// name. If `apiURL` is `nil`, an existing address is unchanged. A new account is named `default` if the
    /// file contains no other account, otherwise `staff`. Throws like `apply`.
    public mutating func addOrUpdateStaffAccount(apiURL: String?) throws(ConfigurationError) -> String {
        let accounts = try makeConfiguration().accounts
        let known = accounts.first { $0.kind == .staff }?.name
        let name = known ?? (accounts.isEmpty ? AccountConfiguration.defaultName : "staff")
        let values = [("api_url", apiURL), ("kind", AccountConfiguration.Kind.staff.rawValue)]
        try apply(
            values.compactMap { key, value in
                let place = try? self.makeKey(forSetting: key, ofAccount: name)
                let key = place ?? ConfigurationKey(accounts.isEmpty ? key : "accounts.\(name).\(key)")
                guard let value, let key else { return nil }
                return ConfigurationChange(key, .text(value))
            })
        return name
    }

    /// Adds an account and returns its name; returns `nil` if an equal account exists. `apiURL`: `nil` for
    /// the hosted service. `taken`: names of existing accounts that are not in the file. Throws like `apply`.
    public mutating func addAccount(
        _ new: NewAccount, apiURL: String?, takenNames taken: Set<String> = []
    ) throws(ConfigurationError) -> String? {
        let accounts = try makeConfiguration().accounts
        guard !accounts.contains(where: { new.isEquivalent(to: $0, apiURL: apiURL) }) else { return nil }
        let name =
            accounts.isEmpty
            ? AccountConfiguration.defaultName : new.makeName(avoiding: taken.union(accounts.map(\.name)))
        let prefix = accounts.isEmpty ? "" : "accounts.\(name)."
        try apply(
            (new.values + [("api_url", apiURL)]).compactMap { key, value in
                guard let value, let key = ConfigurationKey(prefix + key) else { return nil }
                return ConfigurationChange(key, .text(value))
            })
        return name
    }

    /// Returns the full key of the setting `name` (such as `user_name`) of an account, at the top level or
    /// nested under `accounts`; `nil` if the account or the setting does not exist.
    public func makeKey(forSetting name: String, ofAccount account: String) throws(ConfigurationError)
        -> ConfigurationKey?
    {
        let root = ConfigurationTree(try YAMLDocument.parseRoot(of: text, file: file))
        if case .group(let top) = root, case .group(let accounts)? = top["accounts"], accounts[account] != nil
        {
            return ConfigurationKey("accounts.\(account).\(name)")
        }
        guard account == AccountConfiguration.defaultName else { return nil }
        guard try makeConfiguration().accounts.contains(where: { $0.name == account }) else { return nil }
        return ConfigurationKey(name)
    }
}

/// An account to add.
public enum NewAccount: Hashable, Sendable {
    /// The user's device for the app with this App ID.
    case device(appID: String)
    case staff

    fileprivate var values: [(String, String?)] {
        switch self {
        case .device(let appID): [("app_id", appID)]
        case .staff: [("kind", AccountConfiguration.Kind.staff.rawValue)]
        }
    }

    fileprivate func isEquivalent(to account: AccountConfiguration, apiURL: String?) -> Bool {
        let isSameAddress = "\(account.apiURL)" == apiURL ?? "\(APIAddress.production)"
        return switch self {
        case .device(let appID): isSameAddress && account.kind == .device && account.appID == appID
        case .staff: isSameAddress && account.kind == .staff
        }
    }

    /// Returns a name that `takenNames` does not contain: `app` or `staff` or, if that name is taken, the
    /// same word with a number, such as `app-2`.
    fileprivate func makeName(avoiding takenNames: Set<String>) -> String {
        let base = if case .staff = self { "staff" } else { "app" }
        guard takenNames.contains(base) else { return base }
        return (2...).lazy.map { "\(base)-\($0)" }.first { !takenNames.contains($0) } ?? base
    }
}
