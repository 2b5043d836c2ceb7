import Config
package import Log
package import Store

/// Who the person is to support: what `ctl user` set, over what the configuration says.
package final class Profile {
    private let configuration: AccountConfiguration
    private let store: Store
    private let setting: Setting<Own>
    private var own: Own

    private struct Own: Codable {
        var id: String?
        var name: String?
    }

    init(_ account: Account, store: Store) throws {
        (configuration, self.store) = (account.configuration, store)
        let setting = Setting<Own>("user", of: account.id)
        self.setting = setting
        own = try store.read { try $0.settings.value(of: setting) } ?? Own()
    }

    package var userID: String? { own.id ?? configuration.userID }
    package var userName: String? { own.name ?? configuration.userName }

    /// What is nil stays as it is. Survives a restart.
    package func set(id: String?, name: String?) throws {
        try keep(Own(id: id ?? own.id, name: name ?? own.name))
    }

    /// What the configuration says holds again.
    package func clear() throws { try keep(nil) }

    private func keep(_ own: Own?) throws {
        try store.write { try $0.settings.set(setting, to: own) }
        self.own = own ?? Own()
    }
}

/// Whether the person agreed to be counted as active: off until they do.
package final class ActivityConsent {
    private static let key = "consent"

    private let store: Store
    /// Moves when the person decides.
    package let changes = Signal()

    package init(store: Store) { self.store = store }

    /// nil: the person has not said.
    package func decision() throws -> Bool? { try store.read(decision(in:)) }

    package func decision(in transaction: Transaction) throws -> Bool? {
        try transaction.settings.text(Self.key).map { $0 == "on" }
    }

    package func set(_ isGiven: Bool) throws {
        try store.write { try $0.settings.setText(Self.key, to: isGiven ? "on" : "off") }
        changes.notify()
    }
}
