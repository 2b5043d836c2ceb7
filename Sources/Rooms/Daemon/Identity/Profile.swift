import Config
import Store

/// Who the person is to support: what `ctl user` set, over what the configuration says.
final class Profile {
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
        own = try store.read { try $0.value(of: setting) } ?? Own()
    }

    var userID: String? { own.id ?? configuration.userID }
    var userName: String? { own.name ?? configuration.userName }

    /// What is nil stays as it is. Survives a restart.
    func set(id: String?, name: String?) throws {
        try keep(Own(id: id ?? own.id, name: name ?? own.name))
    }

    /// What the configuration says holds again.
    func clear() throws { try keep(nil) }

    private func keep(_ own: Own?) throws {
        try store.write { try $0.set(setting, to: own) }
        self.own = own ?? Own()
    }
}
