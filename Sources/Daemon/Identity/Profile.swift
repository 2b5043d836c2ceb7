import Config
import CutieAPI
import Store

/// Who the person is to support: what `ctl user` set, over what the configuration says.
final class Profile {
    private let configuration: AccountConfiguration
    private let store: Store
    private let key: String
    private var own: Own

    private struct Own: Codable {
        var id: String?
        var name: String?
    }

    init(_ account: Account, store: Store) throws {
        (configuration, self.store) = (account.configuration, store)
        let key = "user/\(account.id.rawValue)"
        self.key = key
        own =
            try store.read { try $0.setting(key) }.flatMap { try? JSON.decode(Own.self, from: $0.utf8) }
            ?? Own()
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
        let text = try own.map { String(decoding: try JSON.encode($0), as: UTF8.self) }
        try store.write { try $0.setSetting(key, to: text) }
        self.own = own ?? Own()
    }
}
