public import CutieAPI

/// A row of the settings whose text is a value in JSON.
public struct Setting<Value: Codable> {
    let key: String

    public init(_ key: String) { self.key = key }

    /// What each account has one of.
    public init(_ topic: String, of account: AccountID) { key = "\(topic)/\(account.rawValue)" }
}

/// What is kept by a name.
public struct SettingTable {
    let transaction: Transaction

    public func text(_ key: String) throws -> String? {
        try transaction.first("SELECT value FROM setting WHERE key = ?", [key.stored]) { $0.optionalText() }
            ?? nil
    }

    /// nil takes it away.
    public func setText(_ key: String, to value: String?) throws {
        if let value {
            try transaction.run(
                "REPLACE INTO setting (key, value) VALUES (?, ?)", [key.stored, value.stored])
        } else {
            try transaction.run("DELETE FROM setting WHERE key = ?", [key.stored])
        }
    }

    /// nil where there is none, or what is there is no such value.
    public func value<Value>(of setting: Setting<Value>) throws -> Value? {
        try text(setting.key).flatMap { try? JSON.decode(Value.self, from: $0.utf8) }
    }

    /// nil takes it away.
    public func set<Value>(_ setting: Setting<Value>, to value: Value?) throws {
        let text = try value.map { String(decoding: try JSON.encode($0), as: UTF8.self) }
        try setText(setting.key, to: text)
    }
}

/// What belongs to one account and a person may look at: the issuer's metadata, who signed in. Never a secret.
public struct AccountSettingTable {
    let transaction: Transaction

    /// nil where there is none, or what is there is no such value.
    public func value<Value: Decodable>(_ name: String, of account: AccountID) throws -> Value? {
        let sql = "SELECT value FROM settings WHERE account = ? AND name = ?"
        let text = try transaction.first(sql, [account.stored, name.stored]) { $0.text() }
        return text.flatMap { try? JSON.decode(Value.self, from: $0.utf8) }
    }

    /// nil takes it away.
    @_spi(Accounts) public func set<Value: Encodable>(
        _ name: String, to value: Value?, of account: AccountID
    ) throws {
        guard let value else {
            return try transaction.run(
                "DELETE FROM settings WHERE account = ? AND name = ?", [account.stored, name.stored])
        }
        let text = String(decoding: try JSON.encode(value), as: UTF8.self)
        try transaction.run(
            "REPLACE INTO settings (account, name, value) VALUES (?, ?, ?)",
            [account.stored, name.stored, text.stored])
    }
}
