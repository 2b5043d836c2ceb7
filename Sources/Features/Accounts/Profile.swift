import Config
package import EventLog
package import Store

/// The user's ID and name, as shown to the support staff. Values in the database take precedence over
/// configured values, until `clear` removes the values from the database.
package final class Profile {
    private let configuration: AccountConfiguration
    private let ingest: Ingest
    private let setting: StoredSetting<UserOverride>
    private var userOverride: UserOverride

    /// The stored values. `nil`: the configured value is in use; an empty string: there is no value.
    private struct UserOverride: Codable {
        var id: String?
        var name: String?
    }

    init(_ account: Account, ingest: Ingest) throws {
        (configuration, self.ingest) = (account.configuration, ingest)
        let setting = StoredSetting<UserOverride>("user", of: account.id)
        self.setting = setting
        userOverride = try ingest.store.read { try $0.settings.fetchValue(of: setting) } ?? UserOverride()
    }

    package var userID: String? { Self.effectiveValue(userOverride.id, default: configuration.userID) }
    package var userName: String? { Self.effectiveValue(userOverride.name, default: configuration.userName) }

    private static func effectiveValue(_ userValue: String?, default configuredValue: String?) -> String? {
        guard let userValue else { return configuredValue }
        return userValue.isEmpty ? nil : userValue
    }

    /// Stores values across restarts. An empty string disables the value, and `nil` leaves it unchanged.
    package func update(id: String?, name: String?) throws {
        try save(UserOverride(id: id ?? userOverride.id, name: name ?? userOverride.name))
    }

    /// Stores both values. If a value is `nil`, the configured value is in use again.
    package func replace(id: String?, name: String?) throws { try save(UserOverride(id: id, name: name)) }

    /// Removes the stored values, so that the configured values are in use again.
    package func clear() throws { try save(nil) }

    /// Stores the values together with a log entry, so that windows show the new name.
    private func save(_ userOverride: UserOverride?) throws {
        try ingest.log(.state) { try $0.settings.setValue(of: setting, to: userOverride) }
        self.userOverride = userOverride ?? UserOverride()
    }
}

/// The user's consent to be counted as active. Off by default.
package final class ActivityConsent {
    private static let key = "consent"

    private let store: MessageStore
    /// Notified when the user's decision changes.
    package let changes = ChangeSignal()

    package init(store: MessageStore) { self.store = store }

    /// Returns the decision; `nil` if the user has not decided.
    package func readDecision() throws -> Bool? { try store.read(readDecision(in:)) }

    package func readDecision(in transaction: Transaction) throws -> Bool? {
        try transaction.settings.fetchText(ofSetting: Self.key).map { $0 == "on" }
    }

    /// Returns whether the device may be reported as active to the API of an account. A separate decision for
    /// the app that owns the account takes precedence.
    package func isPingAllowed(for account: String) throws -> Bool {
        try store.read { transaction in
            let own = try HostAppOwner.fetchAll(in: transaction)[account]?.allowsCounting
            return try own ?? readDecision(in: transaction) ?? false
        }
    }

    package func setDecision(_ isGiven: Bool) throws {
        try store.write { try $0.settings.setText(ofSetting: Self.key, to: isGiven ? "on" : "off") }
        changes.notify()
    }
}
