import CutieAPI

/// A row of the settings whose text is a value in JSON.
public struct Setting<Value: Codable> {
    let key: String

    public init(_ key: String) { self.key = key }

    /// What each account has one of.
    public init(_ topic: String, of account: AccountID) { key = "\(topic)/\(account.rawValue)" }
}

extension Transaction {
    /// nil where there is none, or what is there is no such value.
    public func value<Value>(of setting: Setting<Value>) throws -> Value? {
        try self.setting(setting.key).flatMap { try? JSON.decode(Value.self, from: $0.utf8) }
    }

    /// nil takes it away.
    public func set<Value>(_ setting: Setting<Value>, to value: Value?) throws {
        let text = try value.map { String(decoding: try JSON.encode($0), as: UTF8.self) }
        try setSetting(setting.key, to: text)
    }
}
