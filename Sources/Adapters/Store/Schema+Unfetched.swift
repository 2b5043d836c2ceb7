extension Schema {
    static let unfetched = """
        CREATE TABLE unfetched (
            account INTEGER NOT NULL, conversation TEXT NOT NULL, first INTEGER NOT NULL,
            PRIMARY KEY (account, conversation)
        ) STRICT, WITHOUT ROWID;
        """
}
