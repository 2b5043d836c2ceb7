public import CutieAPI

/// A row of the settings whose text is a value in JSON: never a secret.
public struct Setting<Value: Codable> {
    let name: String
    /// nil: it is the person's, whatever accounts they have.
    let account: AccountID?

    public init(_ name: String) { (self.name, account) = (name, nil) }

    /// What each account has one of.
    public init(_ name: String, of account: AccountID) { (self.name, self.account) = (name, account) }
}

/// What is kept by a name: the person's in one table, and in another one what each account has of its own.
public struct SettingTable {
    let transaction: Transaction

    /// `account` nil: the person's.
    public func text(_ name: String, of account: AccountID? = nil) throws -> String? {
        guard let account else {
            return try transaction.first("SELECT value FROM setting WHERE key = ?", [name.stored]) {
                $0.text()
            }
        }
        let sql = "SELECT value FROM settings WHERE account = ? AND name = ?"
        return try transaction.first(sql, [account.stored, name.stored]) { $0.text() }
    }

    /// nil takes it away.
    public func setText(_ name: String, of account: AccountID? = nil, to value: String?) throws {
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

    /// nil where there is none, or what is there is no such value.
    public func value<Value>(of setting: Setting<Value>) throws -> Value? {
        try text(setting.name, of: setting.account).flatMap { try? JSON.decode(Value.self, from: $0.utf8) }
    }

    /// nil takes it away.
    public func set<Value>(_ setting: Setting<Value>, to value: Value?) throws {
        let text = try value.map { String(decoding: try JSON.encode($0), as: UTF8.self) }
        try setText(setting.name, of: setting.account, to: text)
    }
}
