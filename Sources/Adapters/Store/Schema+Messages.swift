extension Schema {
    /// One id in two conversations is two messages. The conversation is '' where it is not known any more: of
    /// those whose bodies were pruned before it was kept. Such an id is known in every conversation.
    static let messagesByConversation = """
        CREATE TABLE seen_message_by_conversation (
            account INTEGER NOT NULL, message TEXT NOT NULL, conversation TEXT NOT NULL, row INTEGER NOT NULL,
            PRIMARY KEY (account, message, conversation)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO seen_message_by_conversation (account, message, conversation, row)
            SELECT s.account, s.message, COALESCE(m.conversation, ''), s.row
            FROM seen_message AS s LEFT JOIN message AS m ON m.row = s.row;
        DROP TABLE seen_message;
        ALTER TABLE seen_message_by_conversation RENAME TO seen_message;
        """
}
