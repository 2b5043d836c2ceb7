extension Schema {
    /// place is the order in which they came into the summary. What an earlier version kept as one text is
    /// taken over.
    static let summary = """
        CREATE TABLE summarised (
            place INTEGER PRIMARY KEY, account INTEGER NOT NULL, conversation TEXT NOT NULL,
            UNIQUE (account, conversation)
        ) STRICT;
        INSERT OR IGNORE INTO summarised (account, conversation)
            SELECT json_extract(member.value, '$.account'), json_extract(member.value, '$.conversation')
            FROM setting, json_each(CASE WHEN json_valid(setting.value) THEN setting.value END, '$.members')
            AS member WHERE setting.key = 'summary' ORDER BY member.key;
        DELETE FROM setting WHERE key = 'summary';
        """
}
