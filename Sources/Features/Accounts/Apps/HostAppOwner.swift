package import CutieAPI
import Store

/// The desktop app that owns an account. The user allowed the app to show the answers of its makers; it sees
/// no other account.
package struct HostAppOwner: Codable, Hashable {
    /// The system's identifier of the app.
    package let app: String
    /// The app's name according to the app.
    package let name: String
    /// Whether the system has verified the app's identity.
    package let isVerified: Bool
    package let allowedAt: Timestamp
    /// The version, which is reported to the app's maker.
    package var version: String?
    package var build: String?
    package var bundleID: String?
    /// Whether the device proves its identity to the API; `nil` if not.
    package var usesAttestation: Bool?
    /// The facts that are sent with each new conversation; `nil` for those of an app that asked for none.
    package var facts: [DeviceContext.Field]?
    /// The facts that were in the question that the user allowed.
    package var allowedFacts: [DeviceContext.Field]?
    /// Whether the app's maker may count the user as active; `nil` if this was not decided for this app.
    package var allowsCounting: Bool?

    package init(app: String, name: String, isVerified: Bool, allowedAt: Timestamp) {
        (self.app, self.name, self.isVerified, self.allowedAt) = (app, name, isVerified, allowedAt)
    }

    /// Keys: the accounts' names.
    private static let setting = StoredSetting<[String: HostAppOwner]>("host-apps")

    static func all(in transaction: Transaction) throws -> [String: HostAppOwner] {
        try transaction.settings.value(of: setting) ?? [:]
    }

    /// Stores the owner of an account; `nil` removes it.
    static func set(_ owner: HostAppOwner?, of account: String, in transaction: Transaction) throws {
        var owners = try all(in: transaction)
        guard owners[account] != owner else { return }
        owners[account] = owner
        try transaction.settings.set(setting, to: owners)
    }
}
