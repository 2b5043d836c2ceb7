extension Schema {
    /// The open ones have no answer. notification is valid in session, as a pop-up's is.
    static let questions = """
        CREATE TABLE question (
            id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, subject TEXT,
            by_popup INTEGER NOT NULL, asked_at INTEGER NOT NULL, answer TEXT, answered_at INTEGER,
            notification INTEGER, session TEXT
        ) STRICT;
        CREATE INDEX question_open ON question (id) WHERE answer IS NULL;
        """

    /// Accounts that were handed over, besides those of the configuration.
    static let apps = """
        CREATE TABLE app (
            name TEXT PRIMARY KEY, app_id TEXT NOT NULL, api_url TEXT NOT NULL, app_name TEXT,
            group_id TEXT, added_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
