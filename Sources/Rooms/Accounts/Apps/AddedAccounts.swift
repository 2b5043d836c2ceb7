package import Config
package import CutieAPI
import FoundationEssentials
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
        let owners = try owners()
        return try configured
            + all().compactMap { app in
                guard !configured.contains(where: { $0.name == app.name }) else {
                    logger.warning("an added account is hidden", metadata: ["account": "\(app.name)"])
                    return nil
                }
                return configuration(of: app, beside: configured, owners: owners)
            }
    }

    package func all() throws -> [AppRecord] { try store.read { try $0.apps.all() } }

    /// The host apps that own accounts, by the accounts' names.
    package func owners() throws -> [String: HostAppOwner] { try store.read { try HostAppOwner.all(in: $0) } }

    /// What an owner says of itself is another thing by now.
    package func update(_ owner: HostAppOwner, of name: String) throws {
        try store.write { try HostAppOwner.set(owner, of: name, in: $0) }
    }

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
            let record = AppRecord(
                name: freeName(for: app.appName ?? app.appID, besides: known), appID: app.appID,
                apiURL: address.description, appName: app.appName, groupID: app.groupID, addedAt: now)
            try Self.add(record, device: app.deviceID, in: transaction)
            return record.name
        }
    }

    /// Adds an account that a host app owns, with a device of its own. Returns the name it has here.
    package func add(
        _ appID: String, at address: APIAddress, ownedBy owner: HostAppOwner, now: Timestamp
    ) throws -> String {
        try store.write { transaction in
            let record = AppRecord(
                name: freeName(for: owner.name, besides: try transaction.apps.all()), appID: appID,
                apiURL: address.description, appName: owner.name, groupID: nil, addedAt: now)
            let device = DeviceID("device_" + UUID().uuidString)
            try Self.add(record, device: device, in: transaction)
            try HostAppOwner.set(owner, of: record.name, in: transaction)
            return record.name
        }
    }

    private func freeName(for app: String, besides known: [AppRecord]) -> String {
        Self.name(for: app, besides: Set(configured.map(\.name) + known.map(\.name)))
    }

    /// The device stands with the account, as that of every other one.
    private static func add(_ record: AppRecord, device: DeviceID, in transaction: Transaction) throws {
        try Ingest.addAccount(
            name: record.name, appID: record.appID, apiURL: record.apiURL, device: device,
            inbox: record.groupID, in: transaction)
        try transaction.apps.add(record)
    }

    /// False where there is none of that name.
    func remove(_ name: String) throws -> Bool {
        try store.write { transaction in
            try HostAppOwner.set(nil, of: name, in: transaction)
            return try transaction.apps.remove(name)
        }
    }

    private func configuration(
        of app: AppRecord, beside configured: [AccountConfiguration], owners: [String: HostAppOwner]
    ) -> AccountConfiguration? {
        guard let address = try? APIAddress(app.apiURL) else { return nil }
        var account = AccountConfiguration(name: app.name, appID: app.appID)
        account.apiURL = address
        if let owner = owners[app.name] {
            (account.appVersion, account.appBuild) = (owner.version, owner.build)
            account.bundleID = owner.bundleID
            // Without facts about the machine: whether these are sent, the person decides.
            if owner.version != nil { account.deviceContext = .minimal }
        }
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
