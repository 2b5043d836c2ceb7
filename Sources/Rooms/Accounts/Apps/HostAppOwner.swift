package import CutieAPI
import Store

/// The app on this desktop that an account belongs to: it was allowed to show the answers of its makers, and sees no
/// other account.
package struct HostAppOwner: Codable, Hashable {
    /// Tells the app from all others, as the system knows it.
    package let app: String
    /// What it calls itself.
    package let name: String
    /// The system vouches for the app.
    package let isVerified: Bool
    package let allowedAt: Timestamp
    /// What its maker is told of it.
    package var version: String?
    package var build: String?
    package var bundleID: String?

    package init(app: String, name: String, isVerified: Bool, allowedAt: Timestamp) {
        (self.app, self.name, self.isVerified, self.allowedAt) = (app, name, isVerified, allowedAt)
    }

    /// By the accounts' names.
    private static let setting = Setting<[String: HostAppOwner]>("host-apps")

    static func all(in transaction: Transaction) throws -> [String: HostAppOwner] {
        try transaction.settings.value(of: setting) ?? [:]
    }

    /// nil: nobody owns it any more.
    static func set(_ owner: HostAppOwner?, of account: String, in transaction: Transaction) throws {
        var owners = try all(in: transaction)
        guard owners[account] != owner else { return }
        owners[account] = owner
        try transaction.settings.set(setting, to: owners)
    }
}
