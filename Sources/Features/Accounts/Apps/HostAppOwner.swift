package import CutieAPI
import Store

/// The desktop app that owns an account. The user allowed the app to show the replies of its developers; the
/// app has no access to other accounts.
package struct HostAppOwner: Codable, Hashable {
    /// The app ID that the system reports.
    package let app: String
    /// The app's name, as the app reported it.
    package let name: String
    /// Whether the system has verified the app's identity.
    package let isVerified: Bool
    package let allowedAt: Timestamp
    /// The app's version, which is reported to its developers; `nil` if the app did not report it.
    package var version: String?
    package var build: String?
    package var bundleID: String?
    /// Whether the app uses device attestation; `nil` means `false`.
    package var usesAttestation: Bool?
    /// The device facts that are sent with each new conversation; `nil` if the app requested none.
    package var facts: [DeviceContext.Field]?
    /// The device facts that the user allowed when asked; `nil` if the user was not asked.
    package var allowedFacts: [DeviceContext.Field]?
    /// Whether the app's developers may count the user as active; `nil` if the user has not decided for this
    /// app.
    package var allowsCounting: Bool?
    /// The rank of the account among the accounts of its app. The app uses the account with the highest rank,
    /// which is the account that the app configured last. `nil` for the first account of an app.
    package var choice: Int?

    package init(app: String, name: String, isVerified: Bool, allowedAt: Timestamp) {
        (self.app, self.name, self.isVerified, self.allowedAt) = (app, name, isVerified, allowedAt)
    }

    /// The stored owners; the keys are the account names.
    private static let setting = StoredSetting<[String: HostAppOwner]>("host-apps")

    static func fetchAll(in transaction: Transaction) throws -> [String: HostAppOwner] {
        try transaction.settings.fetchValue(of: setting) ?? [:]
    }

    /// Stores the owner of an account; `nil` removes the owner.
    static func save(_ owner: HostAppOwner?, of account: String, in transaction: Transaction) throws {
        var owners = try fetchAll(in: transaction)
        guard owners[account] != owner else { return }
        owners[account] = owner
        try transaction.settings.setValue(of: setting, to: owners)
    }
}
