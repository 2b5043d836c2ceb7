package import Config
import CutieAPI
import Log
package import Logging
@_spi(Accounts) package import Store

/// The accounts that other apps handed over. They stand in the store and not in the configuration file, which
/// is the person's own and may be read-only; what the file says goes before.
package final class AddedAccounts {
    private let store: Store
    private let logger: Logger
    /// Of the configuration in force. Set once that is taken: a refused one must not come with the next app.
    package var configured: [AccountConfiguration] = []

    package init(store: Store, logger: Logger) {
        (self.store, self.logger) = (store, logger)
    }

    /// The configuration's accounts, then those that were added. These reach the API as the first configured
    /// one does that is at the same address; what it tells of the person and the device is its own.
    package func following(_ configured: [AccountConfiguration]) throws -> [AccountConfiguration] {
        try configured
            + all().compactMap { app in
                guard !configured.contains(where: { $0.name == app.name }) else {
                    logger.warning("an added account is hidden", metadata: ["account": "\(app.name)"])
                    return nil
                }
                return configuration(of: app, beside: configured)
            }
    }

    package func all() throws -> [AppRecord] { try store.read { try $0.apps.all() } }

    /// Adds the account behind `app`, with the device it gave. Returns the name it has here; the name it had
    /// where it is here already.
    func add(_ app: FeedbackApp.Account, at address: APIAddress, now: Timestamp) throws -> String {
        try store.write { transaction in
            let known = try transaction.apps.all()
            if let group = app.groupID,
                let same = known.first(where: {
                    $0.groupID == group && $0.appID == app.appID && $0.apiURL == address.description
                })
            {
                return same.name
            }
            let name = Self.name(
                for: app.appName ?? app.appID, besides: Set(configured.map(\.name) + known.map(\.name)))
            // The device stands with the account, as that of every other one.
            try Ingest.addAccount(
                name: name, appID: app.appID, apiURL: address.description, device: app.deviceID,
                inbox: app.groupID, in: transaction)
            try transaction.apps.add(
                AppRecord(
                    name: name, appID: app.appID, apiURL: address.description, appName: app.appName,
                    groupID: app.groupID, addedAt: now))
            return name
        }
    }

    /// False where there is none of that name.
    func remove(_ name: String) throws -> Bool { try store.write { try $0.apps.remove(name) } }

    private func configuration(
        of app: AppRecord, beside configured: [AccountConfiguration]
    ) -> AccountConfiguration? {
        guard let address = try? APIAddress(app.apiURL) else { return nil }
        var account = AccountConfiguration(name: app.name, appID: app.appID)
        account.apiURL = address
        if let sibling = configured.first(where: { $0.apiURL == address }) {
            (account.tls, account.transport) = (sibling.tls, sibling.transport)
            account.pollInterval = sibling.pollInterval
        }
        return account
    }

    /// A name that can be typed: the app's in small letters, with a number where it is taken.
    static func name(for app: String, besides taken: Set<String>) -> String {
        let words = app.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let plain = String(words.joined(separator: "-").prefix(40))
        let base = plain.isEmpty ? "app" : plain
        if !taken.contains(base) { return base }
        return (2...).lazy.map { "\(base)-\($0)" }.first { !taken.contains($0) } ?? base
    }
}
