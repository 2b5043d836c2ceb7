public import CutieAPI

/// The name and value type of a setting. The value is stored as JSON and must not be a secret.
public struct StoredSetting<Value: Codable> {
    let name: String
    /// The account that the setting belongs to; `nil` for a setting of the user.
    let account: AccountID?

    public init(_ name: String) { (self.name, account) = (name, nil) }

    /// Creates a setting of an account.
    public init(_ name: String, of account: AccountID) { (self.name, self.account) = (name, account) }
}

/// The settings of the user and the settings of accounts, in two tables.
public struct SettingTable {
    let transaction: Transaction

    /// Returns the stored string; `nil` if the setting is not set.
    ///
    /// - Parameter account: the account; `nil` for a setting of the user.
    public func fetchText(ofSetting name: String, account: AccountID? = nil) throws -> String? {
        guard let account else {
            return try transaction.fetchOne("SELECT value FROM setting WHERE key = ?", [name.stored]) {
                $0.readText()
            }
        }
        let sql = "SELECT value FROM settings WHERE account = ? AND name = ?"
        return try transaction.fetchOne(sql, [account.stored, name.stored]) { $0.readText() }
    }

    /// Stores or removes a string.
    ///
    /// - Parameter value: the new value; `nil` to remove the setting.
    public func setText(ofSetting name: String, account: AccountID? = nil, to value: String?) throws {
        switch (account, value) {
        case (nil, nil): try transaction.run("DELETE FROM setting WHERE key = ?", [name.stored])
        case (nil, let value?):
            try transaction.run(
                "REPLACE INTO setting (key, value) VALUES (?, ?)", [name.stored, value.stored])
        case (let account?, nil):
            try transaction.run(
                "DELETE FROM settings WHERE account = ? AND name = ?", [account.stored, name.stored])
        case (let account?, let value?):
            try transaction.run(
                "REPLACE INTO settings (account, name, value) VALUES (?, ?, ?)",
                [account.stored, name.stored, value.stored])
        }
    }

    /// Returns the value of a setting; `nil` if the setting is not set or its value cannot be decoded.
    public func fetchValue<Value>(of setting: StoredSetting<Value>) throws -> Value? {
        try fetchText(ofSetting: setting.name, account: setting.account).flatMap {
            try? JSON.decode(Value.self, from: $0.utf8)
        }
    }

    /// Stores or removes a value.
    ///
    /// - Parameter value: the new value; `nil` to remove the setting.
    public func setValue<Value>(of setting: StoredSetting<Value>, to value: Value?) throws {
        let text = try value.map { String(decoding: try JSON.encode($0), as: UTF8.self) }
        try setText(ofSetting: setting.name, account: setting.account, to: text)
    }
}
