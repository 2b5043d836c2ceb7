/// A migration that was released is never edited: a new one follows it.
extension Schema {
    static var migrations: [Migration] {
        [
            Migration(
                "1-tables",
                accounts + log + conversations + messages + search + ledger + popups + outbox + settings),
            Migration("2-fewer-indexes", "DROP INDEX message_pending; DROP INDEX message_announcing"),
            Migration("3-questions-and-apps", questions + apps),
            Migration(
                "4-outbox-told", "ALTER TABLE outbox ADD COLUMN told INTEGER NOT NULL DEFAULT 1"),
            Migration("5-summary", summary),
            Migration("6-unfetched", unfetched),
            Migration("7-messages-by-conversation", messagesByConversation),
            Migration("8-sent", sent),
            Migration("9-account-kinds", accountKinds),
            Migration("10-own-words-and-notes", ownWordsAndNotes),
            Migration("11-ledger-reasons", ledgerReasons),
            Migration("12-screen", screen),
            Migration("13-account-settings", accountSettings),
            Migration("14-settings-of-accounts", settingsOfAccounts),
            Migration("15-group-store", groupStore),
            Migration("16-search-tokens", searchTokens),
            Migration("17-newest-message-time", newestMessageTime),
            Migration(
                "18-fresh-documents",
                "ALTER TABLE user_services ADD COLUMN fresh_for INTEGER NOT NULL DEFAULT 86400"),
        ]
    }

    /// The open ones have no answer. notification is valid in session, as a pop-up's is.
    private static let questions = """
        CREATE TABLE question (
            id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, subject TEXT,
            by_popup INTEGER NOT NULL, asked_at INTEGER NOT NULL, answer TEXT, answered_at INTEGER,
            notification INTEGER, session TEXT
        ) STRICT;
        CREATE INDEX question_open ON question (id) WHERE answer IS NULL;
        """

    /// Accounts that were handed over, besides those of the configuration.
    private static let apps = """
        CREATE TABLE app (
            name TEXT PRIMARY KEY, app_id TEXT NOT NULL, api_url TEXT NOT NULL, app_name TEXT,
            group_id TEXT, added_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// place is the order in which they came into the summary. What an earlier version kept as one text is
    /// taken over.
    private static let summary = """
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

    private static let unfetched = """
        CREATE TABLE unfetched (
            account INTEGER NOT NULL, conversation TEXT NOT NULL, first INTEGER NOT NULL,
            PRIMARY KEY (account, conversation)
        ) STRICT, WITHOUT ROWID;
        """

    /// One id in two conversations is two messages. The conversation is '' where it is not known any more: of
    /// those whose bodies were pruned before it was kept. Such an id is known in every conversation.
    private static let messagesByConversation = """
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

    /// Only a device's account has a device_id. A token that an earlier version kept is overwritten first: the
    /// pages of a table that was dropped keep what was in them.
    private static let accountKinds = """
        CREATE TABLE account_of_a_kind (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, app_id TEXT NOT NULL, api_url TEXT NOT NULL,
            kind TEXT NOT NULL, device_id TEXT, device_token TEXT, cursor TEXT, synced_at INTEGER,
            unread INTEGER, last_event_at INTEGER,
            UNIQUE (name, app_id, api_url)
        ) STRICT;
        INSERT INTO account_of_a_kind (id, name, app_id, api_url, kind, device_id, device_token, cursor,
            synced_at, unread, last_event_at)
            SELECT id, name, app_id, api_url, '\(AccountRecord.Kind.device.rawValue)', device_id, device_token,
            cursor, synced_at, unread, last_event_at FROM account;
        UPDATE account SET device_token = NULL;
        DROP TABLE account;
        ALTER TABLE account_of_a_kind RENAME TO account;
        """

    /// What the writer knows of a message. Both stand behind its text: they are read in the index, where row
    /// comes before them so that it still sorts a thread.
    private static let ownWordsAndNotes = """
        DROP INDEX message_thread;
        ALTER TABLE message ADD COLUMN is_own INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE message ADD COLUMN is_note INTEGER NOT NULL DEFAULT 0;
        UPDATE message SET is_own = 1 WHERE sender_type = 'user';
        CREATE INDEX message_thread
            ON message (account, conversation, created_at, sequence, row, is_own, is_note);
        """

    /// They were the beginnings of the details.
    private static let ledgerReasons = """
        ALTER TABLE ledger ADD COLUMN reason INTEGER;
        UPDATE ledger SET
            reason = CASE WHEN detail = 'answered to us' THEN \(LedgerEntry.Reason.answered.rawValue)
                WHEN detail GLOB 'not shown: *' THEN \(LedgerEntry.Reason.notShown.rawValue)
                ELSE \(LedgerEntry.Reason.summary.rawValue) END,
            detail = CASE WHEN detail = 'answered to us' THEN NULL
                WHEN detail GLOB 'not shown: *' THEN substr(detail, 12) ELSE substr(detail, 10) END
            WHERE detail = 'answered to us' OR detail GLOB 'not shown: *' OR detail GLOB 'summary, *';
        """

    /// One table for all pop-ups, whatever they are about. Before, those of replies had one, a question kept its
    /// own, and that of an outage was a setting: what is on the screen stays known.
    private static let screen = """
        CREATE TABLE screen (
            kind TEXT NOT NULL, account INTEGER, conversation TEXT, subject TEXT,
            notification INTEGER NOT NULL, session TEXT NOT NULL, count INTEGER NOT NULL,
            last_sequence INTEGER NOT NULL, shown_at INTEGER NOT NULL
        ) STRICT;
        INSERT INTO screen
            SELECT CASE WHEN account IS NULL THEN 'summary' ELSE 'reply' END, account, conversation, NULL,
            notification, session, count, last_sequence, shown_at FROM popup ORDER BY shown_at, rowid;
        INSERT INTO screen
            SELECT 'question', NULL, NULL, CAST(id AS TEXT), notification, session, 1, 0, asked_at
            FROM question WHERE answer IS NULL AND notification IS NOT NULL AND session IS NOT NULL;
        INSERT INTO screen
            SELECT 'outage', NULL, NULL, NULL, CAST(value AS INTEGER), substr(value, instr(value, ' ') + 1),
            1, 0, 0 FROM setting WHERE key = 'disconnection-notice' AND instr(value, ' ') > 1;
        DELETE FROM setting WHERE key = 'disconnection-notice';
        ALTER TABLE question DROP COLUMN notification;
        ALTER TABLE question DROP COLUMN session;
        DROP TABLE popup;
        ALTER TABLE screen RENAME TO popup;
        """

    /// Values are JSON.
    private static let accountSettings = """
        CREATE TABLE settings (
            account INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (account, name)
        ) STRICT, WITHOUT ROWID;
        """

    /// What was an account's stood among the person's, under `NAME/ACCOUNT`; two of these were no JSON.
    private static let settingsOfAccounts = """
        INSERT OR REPLACE INTO settings (account, name, value)
            SELECT CAST(substr(key, instr(key, '/') + 1) AS INTEGER), substr(key, 1, instr(key, '/') - 1),
            CASE WHEN key GLOB 'inbox/*' THEN json_quote(value)
                WHEN key GLOB 'knows-up-to/*' THEN 'true' ELSE value END
            FROM setting WHERE key GLOB '[a-z]*/[0-9]*';
        DELETE FROM setting WHERE key GLOB '[a-z]*/[0-9]*';
        """

    /// Which services a person may use, the tokens for them, and which app may do what. Tokens are a tree by parent;
    /// those that are to be revoked wait until their service has heard of it.
    private static let groupStore = """
        CREATE TABLE protocols (
            account INTEGER NOT NULL, baseurl TEXT NOT NULL, protocol_id TEXT NOT NULL,
            PRIMARY KEY (account, baseurl, protocol_id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE tokens (
            id TEXT PRIMARY KEY, account INTEGER NOT NULL, subject TEXT NOT NULL, target TEXT NOT NULL,
            type TEXT NOT NULL, sealed BLOB NOT NULL, expires_at INTEGER, scope TEXT NOT NULL,
            parent TEXT, created_at INTEGER NOT NULL,
            revoking_since INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX token_children ON tokens (parent) WHERE parent IS NOT NULL;
        CREATE TABLE user_services (
            account INTEGER NOT NULL, baseurl TEXT NOT NULL, name TEXT NOT NULL, rsd BLOB NOT NULL,
            token_target TEXT NOT NULL, source TEXT, etag TEXT, fetched_at INTEGER NOT NULL, used_at INTEGER,
            PRIMARY KEY (account, baseurl)
        ) STRICT, WITHOUT ROWID;
        CREATE VIEW user_service_tokens AS
            SELECT s.account, s.baseurl, t.id AS token FROM user_services AS s JOIN tokens AS t
            ON t.account = s.account AND t.target = s.token_target AND t.type = 'service' AND t.revoking_since IS NULL;
        CREATE TABLE grants (
            id INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER, app_id TEXT NOT NULL,
            client_id TEXT NOT NULL, app_name TEXT NOT NULL, identity TEXT NOT NULL,
            verified INTEGER NOT NULL, protocols TEXT NOT NULL, services TEXT NOT NULL, state TEXT NOT NULL,
            asked_at INTEGER NOT NULL, decided_at INTEGER, expires_at INTEGER
        ) STRICT;
        CREATE INDEX grant_of_app ON grants (identity, client_id);
        """

    /// Recreates the full-text index without texts: the messages are indexed again in slices, as `FullText` says. The
    /// tokenizer only splits at spaces, since `SearchToken` did the rest. Deleted messages are removed from the index by
    /// `Pruning`, because a trigger does not know the tokens.
    private static let searchTokens = """
        DROP TRIGGER message_removed;
        DROP TABLE message_text;
        CREATE VIRTUAL TABLE message_text USING fts5 (text, content = '', tokenize = 'ascii');
        CREATE TRIGGER message_removed AFTER DELETE ON message BEGIN
            DELETE FROM ledger WHERE message = old.row;
        END;
        """

    /// The time of the newest message, which sorts lists. Until then they were sorted by the server's updated_at,
    /// which a read changes. The newest message is the one that was stored last, as for last_message.
    private static let newestMessageTime = """
        ALTER TABLE conversation ADD COLUMN last_message_at INTEGER;
        UPDATE conversation SET last_message_at = (
            SELECT m.created_at FROM message AS m
            WHERE m.account = conversation.account AND m.conversation = conversation.id
            ORDER BY m.sequence DESC LIMIT 1);
        UPDATE conversation SET sort_at = COALESCE(last_message_at, created_at, updated_at, as_of, 0);
        """

    /// What became of calls whose callers may repeat them.
    private static let sent = """
        CREATE TABLE sent (
            place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, conversation TEXT, message TEXT
        ) STRICT;
        """
}
