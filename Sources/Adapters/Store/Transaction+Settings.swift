extension Transaction {
    public func setting(_ key: String) throws -> String? {
        try first("SELECT value FROM setting WHERE key = ?", [key.stored]) { $0.optionalText() } ?? nil
    }

    /// nil takes it away.
    public func setSetting(_ key: String, to value: String?) throws {
        if let value {
            try run("REPLACE INTO setting (key, value) VALUES (?, ?)", [key.stored, value.stored])
        } else {
            try run("DELETE FROM setting WHERE key = ?", [key.stored])
        }
    }
}
