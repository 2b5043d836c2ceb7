CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
CREATE TABLE account (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, app_id TEXT NOT NULL, api_url TEXT NOT NULL,
    device_id TEXT NOT NULL, device_token TEXT, cursor TEXT, synced_at INTEGER, unread INTEGER,
    last_event_at INTEGER,
    UNIQUE (name, app_id, api_url)
) STRICT;
CREATE TABLE seen_event (
    account INTEGER NOT NULL, event TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (account, event)
) STRICT, WITHOUT ROWID;
CREATE TABLE log (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER, type TEXT NOT NULL,
    at INTEGER NOT NULL, conversation TEXT, message TEXT, badge_total INTEGER,
    badge_unread INTEGER, badge_conversation INTEGER, state TEXT, data TEXT
) STRICT;
CREATE TABLE conversation (
    account INTEGER NOT NULL, id TEXT NOT NULL, status TEXT NOT NULL, title TEXT, category TEXT,
    priority TEXT, customer_id TEXT, user_id TEXT, user_name TEXT, device_id TEXT,
    assigned_admin_id TEXT, app_id TEXT, app_name TEXT, message_count INTEGER,
    unread_count INTEGER, tags TEXT, created_at INTEGER, updated_at INTEGER,
    unread INTEGER NOT NULL, since_clear INTEGER NOT NULL, as_of INTEGER,
    polled INTEGER NOT NULL, polled_updated_at INTEGER, polled_unread INTEGER,
    polled_messages INTEGER, last_message TEXT, newest_sequence INTEGER NOT NULL,
    sort_at INTEGER NOT NULL,
    PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX conversation_newest ON conversation (sort_at, account);
CREATE INDEX conversation_live ON conversation (account, since_clear, unread)
    WHERE unread > 0 OR since_clear > 0;
CREATE TABLE message (
    row INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER NOT NULL, id TEXT NOT NULL,
    conversation TEXT NOT NULL, created_at INTEGER NOT NULL, sequence INTEGER NOT NULL,
    stage INTEGER NOT NULL, pending INTEGER NOT NULL, sender_type TEXT NOT NULL, sender_id TEXT,
    sender_name TEXT, sender_avatar_url TEXT, type TEXT NOT NULL, text TEXT NOT NULL
) STRICT;
CREATE INDEX message_thread ON message (account, conversation, created_at, sequence);
CREATE INDEX message_fresh ON message (sequence)
    WHERE pending = 1 AND stage <> 6;
CREATE INDEX message_held ON message (sequence) WHERE pending = 1 AND stage = 6;
CREATE VIRTUAL TABLE message_text USING fts5 (
    text, content = 'message', content_rowid = 'row', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER message_removed AFTER DELETE ON message BEGIN
    INSERT INTO message_text (message_text, rowid, text) VALUES ('delete', old.row, old.text);
    DELETE FROM ledger WHERE message = old.row;
END;
CREATE TABLE ledger (
    message INTEGER NOT NULL, step INTEGER NOT NULL, at INTEGER NOT NULL, stage INTEGER NOT NULL,
    detail TEXT,
    PRIMARY KEY (message, step)
) STRICT, WITHOUT ROWID;
CREATE TABLE popup (
    account INTEGER, conversation TEXT, notification INTEGER NOT NULL, session TEXT NOT NULL,
    count INTEGER NOT NULL, first_sequence INTEGER NOT NULL, last_sequence INTEGER NOT NULL,
    shown_at INTEGER NOT NULL
) STRICT;
CREATE TABLE outbox (
        place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account INTEGER NOT NULL,
        conversation TEXT, kind TEXT NOT NULL, payload TEXT NOT NULL, idempotency_key TEXT NOT NULL,
        state TEXT NOT NULL, attempts INTEGER NOT NULL, ambiguous INTEGER NOT NULL,
        read_bound TEXT, error TEXT, created_at INTEGER NOT NULL,
        next_attempt_at INTEGER
    , told INTEGER NOT NULL DEFAULT 1) STRICT;
CREATE INDEX outbox_thread ON outbox (account, conversation, place);
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE question (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, subject TEXT,
    by_popup INTEGER NOT NULL, asked_at INTEGER NOT NULL, answer TEXT, answered_at INTEGER,
    notification INTEGER, session TEXT
) STRICT;
CREATE INDEX question_open ON question (id) WHERE answer IS NULL;
CREATE TABLE app (
    name TEXT PRIMARY KEY, app_id TEXT NOT NULL, api_url TEXT NOT NULL, app_name TEXT,
    group_id TEXT, added_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE summarised (
    place INTEGER PRIMARY KEY, account INTEGER NOT NULL, conversation TEXT NOT NULL,
    UNIQUE (account, conversation)
) STRICT;
CREATE TABLE unfetched (
    account INTEGER NOT NULL, conversation TEXT NOT NULL, first INTEGER NOT NULL,
    PRIMARY KEY (account, conversation)
) STRICT, WITHOUT ROWID;
CREATE TABLE "seen_message" (
    account INTEGER NOT NULL, message TEXT NOT NULL, conversation TEXT NOT NULL, row INTEGER NOT NULL,
    PRIMARY KEY (account, message, conversation)
) STRICT, WITHOUT ROWID;
CREATE TABLE sent (
    place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, conversation TEXT, message TEXT
) STRICT;
INSERT INTO grdb_migrations VALUES
    ('1-tables'),
    ('2-fewer-indexes'),
    ('3-questions-and-apps'),
    ('4-outbox-told'),
    ('5-summary'),
    ('6-unfetched'),
    ('7-messages-by-conversation'),
    ('8-sent');
