package import Config
package import CutieAPI
import EventLog
import FoundationEssentials
package import Logging
@_spi(Accounts) package import Store

/// The accounts that were handed over with a token or created for host apps. The accounts are stored in
/// the database: the configuration file belongs to the user and may be read-only. The configuration
/// file takes precedence.
package final class AddedAccounts {
    private let store: MessageStore
    private let logger: Logger
    /// The accounts of the active configuration. Set only after a configuration was accepted; otherwise,
    /// adding an app would apply a rejected configuration.
    package var configured: [AccountConfiguration] = []

    package init(store: MessageStore, logger: Logger) {
        (self.store, self.logger) = (store, logger)
    }

    /// Returns the configured accounts, followed by the added accounts. Omits an added account if a
    /// configured account has the same name. An added account inherits the connection settings of the first
    /// configured account with the same address, but not the settings for data about the user and the device.
    package func appendingAddedAccounts(to configuredAccounts: [AccountConfiguration]) throws
        -> [AccountConfiguration]
    {
        let owners = try fetchOwners()
        return try configuredAccounts
            + fetchAll().compactMap { app in
                guard !configuredAccounts.contains(where: { $0.name == app.name }) else {
                    logger.warning("an added account is hidden", metadata: ["account": "\(app.name)"])
                    return nil
                }
                return makeConfiguration(for: app, inheritingFrom: configuredAccounts, owners: owners)
            }
    }

    package func fetchAll() throws -> [HandedOverAccountRecord] {
        try store.read { try $0.handedOverAccounts.fetchAll() }
    }

    /// Returns the host apps that own accounts; the keys are the account names.
    package func fetchOwners() throws -> [String: HostAppOwner] {
        try store.read { try HostAppOwner.fetchAll(in: $0) }
    }

    /// Stores the changed owner of the account `name`.
    package func update(_ owner: HostAppOwner, ofAccount name: String) throws {
        try store.write { try HostAppOwner.save(owner, of: name, in: $0) }
    }

    /// Adds the account of `app` with the device ID that the API returned. Returns the local account name,
    /// which is the existing name if the account was added before.
    func add(_ app: FeedbackApp.Account, at address: APIAddress, now: Timestamp) throws -> String {
        try store.write { transaction in
            let known = try transaction.handedOverAccounts.fetchAll()
            if let group = app.groupID,
                let same = known.first(where: {
                    $0.groupID == group && $0.appID == app.appID && $0.apiURL == address.description
                })
            {
                return same.name
            }
            let record = HandedOverAccountRecord(
                name: makeUnusedName(for: app.appName ?? app.appID, avoidingNamesOf: known), appID: app.appID,
                apiURL: address.description, appName: app.appName, groupID: app.groupID, addedAt: now)
            try Self.add(record, device: app.deviceID, in: transaction)
            return record.name
        }
    }

    /// Adds an account that a host app owns, with a new device ID. Returns the local account name.
    package func addAccount(
        forAppID appID: String, at address: APIAddress, ownedBy owner: HostAppOwner, now: Timestamp
    ) throws -> String {
        try store.write { transaction in
            let record = HandedOverAccountRecord(
                name: makeUnusedName(
                    for: owner.name, avoidingNamesOf: try transaction.handedOverAccounts.fetchAll()),
                appID: appID,
                apiURL: address.description, appName: owner.name, groupID: nil, addedAt: now)
            let device = DeviceID("device_" + UUID().uuidString)
            try Self.add(record, device: device, in: transaction)
            try HostAppOwner.save(owner, of: record.name, in: transaction)
            return record.name
        }
    }

    private func makeUnusedName(for app: String, avoidingNamesOf records: [HandedOverAccountRecord]) -> String
    {
        Self.makeUnusedName(for: app, avoiding: Set(configured.map(\.name) + records.map(\.name)))
    }

    private static func add(_ record: HandedOverAccountRecord, device: DeviceID, in transaction: Transaction)
        throws
    {
        try Ingest.addAccount(
            name: record.name, appID: record.appID, apiURL: record.apiURL, device: device,
            inbox: record.groupID, in: transaction)
        try transaction.handedOverAccounts.add(record)
    }

    /// Removes the account and the record of its owner. Returns `false` if no account has that name.
    func removeAccount(named name: String) throws -> Bool {
        try store.write { transaction in
            try HostAppOwner.save(nil, of: name, in: transaction)
            return try transaction.handedOverAccounts.remove(named: name)
        }
    }

    private func makeConfiguration(
        for app: HandedOverAccountRecord, inheritingFrom configuredAccounts: [AccountConfiguration],
        owners: [String: HostAppOwner]
    ) -> AccountConfiguration? {
        guard let address = try? APIAddress(app.apiURL) else { return nil }
        var account = AccountConfiguration(name: app.name, appID: app.appID)
        (account.apiURL, account.isAdded) = (address, true)
        if let owner = owners[app.name] {
            (account.appVersion, account.appBuild) = (owner.version, owner.build)
            account.bundleID = owner.bundleID
            // Facts about this computer are sent only with the user's consent.
            let facts = Set(owner.facts ?? []).union(owner.version == nil ? [] : [.appVersion])
            if !facts.isEmpty { account.deviceContext = .fields(facts) }
            if owner.usesAttestation == true { account.attestation = .auto }
        }
        if let sibling = configuredAccounts.first(where: { $0.apiURL == address }) {
            (account.tls, account.transport) = (sibling.tls, sibling.transport)
            account.pollInterval = sibling.pollInterval
        }
        return account
    }

    /// Returns a name that is easy to type: the app's name in lower case, with a number if that name is
    /// taken.
    static func makeUnusedName(for app: String, avoiding takenNames: Set<String>) -> String {
        let words = app.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let plain = String(words.joined(separator: "-").prefix(40))
        let base = plain.isEmpty ? "app" : plain
        if !takenNames.contains(base) { return base }
        return (2...).lazy.map { "\(base)-\($0)" }.first { !takenNames.contains($0) } ?? base
    }
}
