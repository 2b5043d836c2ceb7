extension Schema {
    /// What became of calls whose callers may repeat them.
    static let sent = """
        CREATE TABLE sent (
            place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, conversation TEXT, message TEXT
        ) STRICT;
        """
}
