// The lower limit for a notifier that stores its messages: C, one thread, JSON parsed with strstr. A reply is
// stored before it is shown, and its state is stored afterwards. No reply is shown twice. A new pop-up
// replaces the one of its conversation. Tables, indexes, hints and buttons are those of the daemon.
// Usage: durable URL DATABASE
#include <libnotify/notify.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>

#include "stream.h"

static const char *schema =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -1024;"
    "PRAGMA wal_autocheckpoint = 2000;"
    "CREATE TABLE account (id INTEGER PRIMARY KEY, cursor TEXT, unread INTEGER, last_event_at INTEGER);"
    "INSERT INTO account (id) VALUES (1);"
    "CREATE TABLE seen_event (account, event, at, PRIMARY KEY (account, event)) WITHOUT ROWID;"
    "CREATE TABLE seen_message (account, message, conversation, row,"
    "    PRIMARY KEY (account, message, conversation)) WITHOUT ROWID;"
    "CREATE TABLE log (sequence INTEGER PRIMARY KEY AUTOINCREMENT, account, type, at, conversation, message,"
    "    badge_unread);"
    "CREATE TABLE message (row INTEGER PRIMARY KEY AUTOINCREMENT, account, id, conversation, created_at,"
    "    sequence, stage, pending, sender_type, sender_name, type, text);"
    "CREATE INDEX message_thread ON message (account, conversation, created_at, sequence);"
    "CREATE INDEX message_fresh ON message (sequence) WHERE pending = 1;"
    "CREATE TABLE ledger (message, step, at, stage, detail, PRIMARY KEY (message, step)) WITHOUT ROWID;"
    "CREATE TABLE conversation (account, id, status, title, category, updated_at, unread, last_message,"
    "    newest_sequence, PRIMARY KEY (account, id)) WITHOUT ROWID;"
    "CREATE INDEX conversation_newest ON conversation (updated_at, account);"
    "CREATE INDEX conversation_live ON conversation (account, unread) WHERE unread > 0;"
    "CREATE TABLE popup (account, conversation, notification, count, last_sequence, shown_at);";

enum statement {
    BEGIN, COMMIT, NOTE_EVENT, CONVERSATION, HEAD, ROW, INSERT, NOTE_MESSAGE, STEP, SAVE, LOG, PROGRESS, STAGE,
    FORGET_POPUP, POPUP, STATEMENTS
};
static const char *text[STATEMENTS] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [NOTE_EVENT] = "INSERT OR IGNORE INTO seen_event VALUES (1, ?, ?)",
    [CONVERSATION] = "SELECT unread FROM conversation WHERE account = 1 AND id = ?",
    [HEAD] = "SELECT seq FROM sqlite_sequence WHERE name = 'log'",
    [ROW] = "SELECT row FROM seen_message WHERE account = 1 AND message = ? AND +conversation = ?",
    [INSERT] = "INSERT INTO message (account, id, conversation, created_at, sequence, stage, pending, sender_type,"
               "    sender_name, type, text) VALUES (1, ?, ?, ?, ?, 3, 1, 'admin', ?, 'text', ?)",
    [NOTE_MESSAGE] = "INSERT INTO seen_message VALUES (1, ?, ?, ?)",
    [STEP] = "INSERT INTO ledger VALUES"
             "    (?1, (SELECT COALESCE(MAX(step), 0) + 1 FROM ledger WHERE message = ?1), ?2, ?3, ?4)",
    [SAVE] = "REPLACE INTO conversation VALUES (1, ?, 'waiting_user', ?, 'bug', ?, ?, ?, ?)",
    [LOG] = "INSERT INTO log (account, type, at, conversation, message, badge_unread)"
            "    VALUES (1, 'message.created', ?, ?, ?, ?)",
    [PROGRESS] = "UPDATE account SET cursor = ?, last_event_at = ?, unread = ? WHERE id = 1",
    [STAGE] = "UPDATE message SET stage = ?, pending = ? WHERE row = ? AND pending = 1",
    [FORGET_POPUP] = "DELETE FROM popup WHERE account = 1 AND conversation = ?",
    [POPUP] = "INSERT INTO popup VALUES (1, ?, ?, ?, ?, ?)",
};
static sqlite3 *database;
static sqlite3_stmt *compiled[STATEMENTS];
static sqlite3_int64 total;

static void check(int code) {
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
    g_printerr("%s\n", sqlite3_errmsg(database));
    exit(74);
}

static void open_database(const char *path) {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    check(sqlite3_open(path, &database));
    check(sqlite3_exec(database, schema, NULL, NULL, NULL));
    for (int index = 0; index < STATEMENTS; index++) {
        check(sqlite3_prepare_v3(
            database, text[index], -1, SQLITE_PREPARE_PERSISTENT, &compiled[index], NULL));
    }
}

// Runs a statement. `types` has one letter per value: t for text, i for sqlite3_int64. Returns the first
// column of the first row; 0 if there is no row.
static sqlite3_int64 run(enum statement index, const char *types, ...) {
    sqlite3_stmt *statement = compiled[index];
    va_list values;
    va_start(values, types);
    for (int place = 1; *types != '\0'; types++, place++) {
        check(*types == 't'
                  ? sqlite3_bind_text(statement, place, va_arg(values, char *), -1, SQLITE_TRANSIENT)
                  : sqlite3_bind_int64(statement, place, va_arg(values, sqlite3_int64)));
    }
    va_end(values);
    int code = sqlite3_step(statement);
    check(code);
    sqlite3_int64 result = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return result;
}

static sqlite3_int64 now(void) { return g_get_real_time() / 1000; }

static void step(sqlite3_int64 row, sqlite3_int64 stage, sqlite3_int64 pending, const char *detail) {
    run(STAGE, "iii", stage, pending, row);
    run(STEP, "iiit", row, now(), stage, detail);
}

struct reply {
    char *event, *id, *conversation, *name, *title, *words;
    sqlite3_int64 sequence, row, unread;
};

// Stores a reply. Returns FALSE if it was already stored.
static gboolean keep(struct reply *reply) {
    run(BEGIN, "");
    run(NOTE_EVENT, "ti", reply->event, now());
    reply->unread = run(CONVERSATION, "t", reply->conversation) + 1;
    reply->sequence = run(HEAD, "") + 1;
    gboolean is_new = run(ROW, "tt", reply->id, reply->conversation) == 0;
    if (is_new) {
        run(INSERT, "ttiitt", reply->id, reply->conversation, now(), reply->sequence, reply->name, reply->words);
        reply->row = sqlite3_last_insert_rowid(database);
        run(NOTE_MESSAGE, "tti", reply->id, reply->conversation, reply->row);
        run(STEP, "iiit", reply->row, now(), (sqlite3_int64)3, "by stream");
        run(SAVE, "ttiiti", reply->conversation, reply->title, now(), reply->unread, reply->words,
            reply->sequence);
        run(LOG, "itti", now(), reply->conversation, reply->id, ++total);
        step(reply->row, 4, 1, "");
    }
    run(PROGRESS, "tii", reply->event, now(), total);
    run(COMMIT, "");
    return is_new;
}

static GHashTable *popups;

static void on_action(NotifyNotification *popup, char *action, gpointer context) {}

static gint show(struct reply *reply) {
    NotifyNotification *former = g_hash_table_lookup(popups, reply->conversation);
    gint id = 0;
    if (former != NULL) g_object_get(former, "id", &id, NULL);
    char *summary = g_strdup_printf("%s — %s", reply->name, reply->title);
    char *body = g_strdup_printf("%d new replies\n%s", (int)reply->unread, reply->words);
    NotifyNotification *popup = notify_notification_new(summary, body, "io.cutied.Cutied");
    g_object_set(popup, "id", id, NULL);
    notify_notification_set_urgency(popup, NOTIFY_URGENCY_NORMAL);
    notify_notification_set_hint(popup, "desktop-entry", g_variant_new_string("io.cutied.Cutied"));
    notify_notification_set_hint(popup, "category", g_variant_new_string("im.received"));
    notify_notification_set_hint(
        popup, "x-canonical-private-synchronous", g_variant_new_string(reply->conversation));
    notify_notification_set_hint(popup, "x-dunst-stack-tag", g_variant_new_string(reply->conversation));
    notify_notification_set_hint(popup, "suppress-sound", g_variant_new_boolean(TRUE));
    notify_notification_add_action(popup, "default", "Open", on_action, NULL, NULL);
    notify_notification_add_action(popup, "reply", "Reply", on_action, NULL, NULL);
    notify_notification_add_action(popup, "mark-read", "Mark read", on_action, NULL, NULL);
    notify_notification_show(popup, NULL);
    g_object_get(popup, "id", &id, NULL);
    g_hash_table_insert(popups, g_strdup(reply->conversation), popup);
    g_free(summary);
    g_free(body);
    return id;
}

static void keep_shown(struct reply *reply, gint id) {
    run(BEGIN, "");
    step(run(ROW, "tt", reply->id, reply->conversation), 5, 0, "pop-up");
    run(FORGET_POPUP, "t", reply->conversation);
    run(POPUP, "tiiii", reply->conversation, (sqlite3_int64)id, reply->unread, reply->sequence, now());
    run(COMMIT, "");
}

static void take(const char *event) {
    struct reply reply = {
        .event = stream_field(event, "\"id\":\""),
        .id = stream_field(event, "\"message_id\":\""),
        .conversation = stream_field(event, "\"conversation_id\":\""),
        .name = stream_field(event, "\"sender_name\":\""),
        .title = stream_field(event, "\"title\":\""),
        .words = stream_field(event, "\"message\":\""),
    };
    if (keep(&reply)) keep_shown(&reply, show(&reply));
    char *texts[] = {reply.event, reply.id, reply.conversation, reply.name, reply.title, reply.words};
    for (size_t index = 0; index < G_N_ELEMENTS(texts); index++) g_free(texts[index]);
}

int main(int count, char **arguments) {
    if (count != 3 || !notify_init("durable")) return 64;
    open_database(arguments[2]);
    popups = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_object_unref);
    stream_read(arguments[1], take);
    return 0;
}
