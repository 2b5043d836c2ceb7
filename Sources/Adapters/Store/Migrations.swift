/// The migrations. Never edit a released migration; add a new migration instead.
extension DatabaseSchema {
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
            Migration("19-fewer-indexes", "DROP INDEX conversation_live"),
            Migration("20-steps-of-messages", stepsOfMessages),
            Migration("21-events-of-messages", "ALTER TABLE message ADD COLUMN event TEXT"),
            Migration("22-messages-as-log-entries", messagesAsLogEntries),
            Migration("23-ended-popups", endedNotifications),
            Migration("24-conversation-marks", conversationMarks),
            Migration("25-reminders", reminders),
            Migration("26-outbox-reasons", "ALTER TABLE outbox ADD COLUMN reason TEXT"),
            Migration("27-last-sender", lastSender),
        ]
    }

    /// `answer` is NULL while the question is open. `notification` is an ID that is valid only in `session`,
    /// as in the table `popup`.
    private static let questions = """
        CREATE TABLE question (
            id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, subject TEXT,
            by_popup INTEGER NOT NULL, asked_at INTEGER NOT NULL, answer TEXT, answered_at INTEGER,
            notification INTEGER, session TEXT
        ) STRICT;
        CREATE INDEX question_open ON question (id) WHERE answer IS NULL;
        """

    /// Accounts that other apps passed to the daemon, in addition to the configured accounts.
    private static let apps = """
        CREATE TABLE app (
            name TEXT PRIMARY KEY, app_id TEXT NOT NULL, api_url TEXT NOT NULL, app_name TEXT,
            group_id TEXT, added_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// `place` is the order in which conversations were added to the summary. The migration converts the
    /// summary, which earlier versions stored as one string.
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

    /// Message IDs are unique only within a conversation. If a message was pruned before this migration, its
    /// conversation is unknown and stored as ''. Such a message ID counts as known in every conversation.
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

    /// Each account has a kind. Only accounts of the kind `device` have a `device_id`. A device token from an
    /// earlier version is overwritten before the old table is dropped, because the freed pages keep their
    /// content.
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

    /// The flags `is_own` and `is_note`, which are set when a message is stored. The columns of the flags
    /// follow the text, which may be long, so the index contains copies of the flags. In the index, `row`
    /// precedes the flags, so that the index still sorts the messages of a conversation.
    private static let ownWordsAndNotes = """
        DROP INDEX message_thread;
        ALTER TABLE message ADD COLUMN is_own INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE message ADD COLUMN is_note INTEGER NOT NULL DEFAULT 0;
        UPDATE message SET is_own = 1 WHERE sender_type = 'user';
        CREATE INDEX message_thread
            ON message (account, conversation, created_at, sequence, row, is_own, is_note);
        """

    /// The migration of the reasons, which earlier versions stored as prefixes of the column `detail`.
    private static let ledgerReasons = """
        ALTER TABLE ledger ADD COLUMN reason INTEGER;
        UPDATE ledger SET
            reason = CASE WHEN detail = 'answered to us' THEN \(LedgerEntry.StepReason.answered.rawValue)
                WHEN detail GLOB 'not shown: *' THEN \(LedgerEntry.StepReason.notShown.rawValue)
                ELSE \(LedgerEntry.StepReason.summary.rawValue) END,
            detail = CASE WHEN detail = 'answered to us' THEN NULL
                WHEN detail GLOB 'not shown: *' THEN substr(detail, 12) ELSE substr(detail, 10) END
            WHERE detail = 'answered to us' OR detail GLOB 'not shown: *' OR detail GLOB 'summary, *';
        """

    /// One table for all notifications. The migration converts the notifications, which earlier versions
    /// stored in three places: replies in a table, questions in columns, and the outage in a setting.
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

    /// The settings of accounts. The values are JSON.
    private static let accountSettings = """
        CREATE TABLE settings (
            account INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (account, name)
        ) STRICT, WITHOUT ROWID;
        """

    /// The move of account settings, which earlier versions stored as `NAME/ACCOUNT` among the settings of
    /// the user. The two settings whose values were not JSON are converted.
    private static let settingsOfAccounts = """
        INSERT OR REPLACE INTO settings (account, name, value)
            SELECT CAST(substr(key, instr(key, '/') + 1) AS INTEGER), substr(key, 1, instr(key, '/') - 1),
            CASE WHEN key GLOB 'inbox/*' THEN json_quote(value)
                WHEN key GLOB 'knows-up-to/*' THEN 'true' ELSE value END
            FROM setting WHERE key GLOB '[a-z]*/[0-9]*';
        DELETE FROM setting WHERE key GLOB '[a-z]*/[0-9]*';
        """

    /// The services of a user, their tokens, and the grants of apps. The column `parent` links the tokens, so
    /// that they form trees. A token whose revocation is pending stays in the table until the service
    /// confirms the revocation.
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

    /// A new full-text index without message text. `FullText` then adds all messages again, in slices. The
    /// tokenizer splits only at spaces, because `SearchToken` has already tokenized the text. `Pruning`
    /// removes deleted messages from the index, because a trigger does not have the tokens of a deleted
    /// message.
    private static let searchTokens = """
        DROP TRIGGER message_removed;
        DROP TABLE message_text;
        CREATE VIRTUAL TABLE message_text USING fts5 (text, content = '', tokenize = 'ascii');
        CREATE TRIGGER message_removed AFTER DELETE ON message BEGIN
            DELETE FROM ledger WHERE message = old.row;
        END;
        """

    /// The time of the newest message, as the new sort key of lists. The previous sort key, the server's
    /// `updated_at`, also changes when the user reads a conversation. The newest message is the message that
    /// was stored last, as for the column `last_message`.
    private static let newestMessageTime = """
        ALTER TABLE conversation ADD COLUMN last_message_at INTEGER;
        UPDATE conversation SET last_message_at = (
            SELECT m.created_at FROM message AS m
            WHERE m.account = conversation.account AND m.conversation = conversation.id
            ORDER BY m.sequence DESC LIMIT 1);
        UPDATE conversation SET sort_at = COALESCE(last_message_at, created_at, updated_at, as_of, 0);
        """

    /// The sender of the newest message that is neither a note nor a system message. Lists use this column
    /// to show whether the app's user is waiting for a reply, instead of running a query for each
    /// conversation.
    private static let lastSender = """
        ALTER TABLE conversation ADD COLUMN last_sender TEXT;
        UPDATE conversation SET last_sender = (
            SELECT m.sender_type FROM message AS m
            WHERE m.account = conversation.account AND m.conversation = conversation.id
            AND m.is_note = 0 AND m.sender_type <> 'system'
            ORDER BY m.created_at DESC, m.sequence DESC, m.row DESC LIMIT 1);
        """

    /// Columns for the usual first steps of a message. The columns are NULL for messages from earlier
    /// versions, whose steps are in the table `ledger`.
    private static let stepsOfMessages = """
        ALTER TABLE message ADD COLUMN stored_at INTEGER;
        ALTER TABLE message ADD COLUMN stored_stage INTEGER;
        ALTER TABLE message ADD COLUMN stored_reason INTEGER;
        ALTER TABLE message ADD COLUMN stored_detail TEXT;
        ALTER TABLE message ADD COLUMN announced_at INTEGER;
        ALTER TABLE message ADD COLUMN shown_at INTEGER;
        ALTER TABLE message ADD COLUMN shown_reason INTEGER;
        ALTER TABLE message ADD COLUMN shown_detail TEXT;
        """

    /// The change that makes each message its own log entry: the row number of the message is the sequence
    /// number of the entry. Entries from earlier versions stay in the table `log`.
    ///
    /// The migration removes AUTOINCREMENT, which writes a page for each insert. Instead, triggers store
    /// the largest number of a deleted message or entry in `log_range.head`, so that no number is reused.
    /// The migration edits the schema table, because copying 1 000 000 messages to new tables would take
    /// minutes. SQLite documents such an edit for changes that do not affect rows. `log_range.start` is the
    /// oldest sequence number that is not pruned.
    ///
    /// The casts make the column types equal in both parts of the view, so that SQLite merges the parts by
    /// sequence number instead of sorting them.
    private static let messagesAsLogEntries = """
        CREATE TABLE log_range (head INTEGER NOT NULL, start INTEGER NOT NULL) STRICT;
        INSERT INTO log_range
            SELECT COALESCE(MAX(seq), 0), COALESCE((SELECT MIN(sequence) FROM log),
            (SELECT seq + 1 FROM sqlite_sequence WHERE name = 'log'), 1)
            FROM sqlite_sequence WHERE name IN ('log', 'message');
        DELETE FROM sqlite_sequence WHERE name IN ('log', 'message');
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, ' AUTOINCREMENT', '')
            WHERE type = 'table' AND name IN ('log', 'message');
        PRAGMA writable_schema = RESET;
        ALTER TABLE message ADD COLUMN logged INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE message ADD COLUMN badge_total INTEGER;
        ALTER TABLE message ADD COLUMN badge_unread INTEGER;
        ALTER TABLE message ADD COLUMN badge_conversation INTEGER;
        CREATE VIEW log_entry AS
            SELECT sequence, account, type, at, conversation, message, badge_total, badge_unread,
            badge_conversation, state, data FROM log
            UNION ALL
            SELECT row, account, CAST('message.created' AS TEXT), stored_at, conversation, id, badge_total,
            badge_unread, badge_conversation, CAST(NULL AS TEXT), CAST(NULL AS TEXT)
            FROM message WHERE logged = 1;
        DROP TRIGGER message_removed;
        CREATE TRIGGER message_removed AFTER DELETE ON message BEGIN
            DELETE FROM ledger WHERE message = old.row;
            UPDATE log_range SET head = old.row WHERE head < old.row;
        END;
        CREATE TRIGGER log_removed AFTER DELETE ON log BEGIN
            UPDATE log_range SET head = old.sequence WHERE head < old.sequence;
        END;
        """

    /// Closed notifications that may still be in the history of the server, in the order in which they were
    /// closed.
    private static let endedNotifications = """
        CREATE TABLE ended_popup (
            place INTEGER PRIMARY KEY, notification INTEGER NOT NULL UNIQUE, session TEXT NOT NULL,
            kind TEXT NOT NULL, account INTEGER, conversation TEXT, subject TEXT, count INTEGER NOT NULL,
            last_sequence INTEGER NOT NULL, shown_at INTEGER NOT NULL
        ) STRICT;
        """

    private static let conversationMarks = """
        CREATE TABLE conversation_mark (
            account INTEGER NOT NULL, conversation TEXT NOT NULL, muted INTEGER NOT NULL,
            unread INTEGER NOT NULL, PRIMARY KEY (account, conversation)
        ) STRICT, WITHOUT ROWID;
        """

    private static let reminders = """
        CREATE TABLE reminder (
            account INTEGER NOT NULL, conversation TEXT NOT NULL, kind TEXT NOT NULL,
            due_at INTEGER NOT NULL, since INTEGER NOT NULL, state TEXT NOT NULL,
            PRIMARY KEY (account, conversation, kind)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX reminder_open ON reminder (account, due_at) WHERE state <> 'done';
        """

    /// The results of sent outbox items. If a client repeats a call, the daemon returns the stored result.
    private static let sent = """
        CREATE TABLE sent (
            place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, conversation TEXT, message TEXT
        ) STRICT;
        """
}
