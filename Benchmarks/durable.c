// The reference implementation for the benchmarks: a notifier in C that stores its messages, optimized for
// speed. The program stores each reply, then shows it, then records that the reply was shown, and never shows
// a reply twice. A new notification replaces the previous notification of its conversation. The notifications
// have the same hints and buttons as those of the daemon.
//
// The program has one thread, parses JSON with strstr, and uses a simpler database schema. Each reply needs
// two transactions: the first writes the message, its two indexes, the conversation and the account; the
// second writes the message and the notification. The SQLite settings are those of the daemon, but without
// mutexes. Usage: durable URL DATABASE
#include <libnotify/notify.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>

#include "stream.h"

static const char *schema =
    "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
    "PRAGMA cache_size = -1024; PRAGMA wal_autocheckpoint = 8000; PRAGMA journal_size_limit = 33554432;"
    "PRAGMA secure_delete = FAST;"
    "CREATE TABLE account (id INTEGER PRIMARY KEY, cursor TEXT, unread INTEGER, last_event_at INTEGER);"
    "INSERT INTO account (id) VALUES (1);"
    "CREATE TABLE message (row INTEGER PRIMARY KEY, account, id, conversation, created_at, stage, pending,"
    "    sender_type, sender_name, type, text, event, stored_at, announced_at, shown_at, shown_detail);"
    "CREATE INDEX message_thread ON message (account, conversation, created_at);"
    "CREATE TABLE seen_message (account, message, conversation, row,"
    "    PRIMARY KEY (account, message, conversation)) WITHOUT ROWID;"
    "CREATE TABLE conversation (account, id, status, title, category, updated_at, unread, last_message,"
    "    newest_row, PRIMARY KEY (account, id)) WITHOUT ROWID;"
    "CREATE TABLE popup (account, conversation, notification, count, last_row, shown_at,"
    "    PRIMARY KEY (account, conversation)) WITHOUT ROWID;";

enum statement { BEGIN, COMMIT, ROW, CONVERSATION, INSERT, NOTE_MESSAGE, SAVE, PROGRESS, SHOWN, POPUP, STATEMENTS };
static const char *text[STATEMENTS] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [ROW] = "SELECT row FROM seen_message WHERE account = 1 AND message = ? AND conversation = ?",
    [CONVERSATION] = "SELECT unread FROM conversation WHERE account = 1 AND id = ?",
    [INSERT] = "INSERT INTO message (account, id, conversation, created_at, stage, pending, sender_type,"
               "    sender_name, type, text, event, stored_at, announced_at)"
               "    VALUES (1, ?1, ?2, ?3, 4, 1, 'admin', ?4, 'text', ?5, ?6, ?3, ?3)",
    [NOTE_MESSAGE] = "INSERT INTO seen_message VALUES (1, ?, ?, ?)",
    [SAVE] = "REPLACE INTO conversation VALUES (1, ?, 'waiting_user', ?, 'bug', ?, ?, ?, ?)",
    [PROGRESS] = "UPDATE account SET cursor = ?, last_event_at = ?, unread = ? WHERE id = 1",
    [SHOWN] = "UPDATE message SET stage = 5, pending = 0, shown_at = ?, shown_detail = ?"
              "    WHERE row = ? AND pending = 1",
    [POPUP] = "REPLACE INTO popup VALUES (1, ?, ?, ?, ?, ?)",
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
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    check(sqlite3_open(path, &database));
    check(sqlite3_exec(database, schema, NULL, NULL, NULL));
    for (int index = 0; index < STATEMENTS; index++) {
        check(sqlite3_prepare_v3(
            database, text[index], -1, SQLITE_PREPARE_PERSISTENT, &compiled[index], NULL));
    }
}

// Runs a statement with the given values. `types` has one letter per value: t for text, i for sqlite3_int64.
// Returns the first column of the first row; 0 if there is no row. Bound strings must stay valid while the
// statement runs.
static sqlite3_int64 run(enum statement index, const char *types, ...) {
    sqlite3_stmt *statement = compiled[index];
    va_list values;
    va_start(values, types);
    for (int place = 1; *types != '\0'; types++, place++) {
        check(*types == 't'
                  ? sqlite3_bind_text(statement, place, va_arg(values, char *), -1, SQLITE_STATIC)
                  : sqlite3_bind_int64(statement, place, va_arg(values, sqlite3_int64)));
    }
    va_end(values);
    int code = sqlite3_step(statement);
    check(code);
    sqlite3_int64 result = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_reset(statement);
    return result;
}

static sqlite3_int64 now(void) { return g_get_real_time() / 1000; }

struct reply {
    char *event, *id, *conversation, *name, *title, *words;
    sqlite3_int64 row, unread;
};

// Stores a reply and marks it as not yet shown. Returns FALSE if the reply was already stored.
static gboolean keep(struct reply *reply) {
    sqlite3_int64 at = now();
    run(BEGIN, "");
    gboolean is_new = run(ROW, "tt", reply->id, reply->conversation) == 0;
    if (is_new) {
        reply->unread = run(CONVERSATION, "t", reply->conversation) + 1;
        run(INSERT, "ttittt", reply->id, reply->conversation, at, reply->name, reply->words, reply->event);
        reply->row = sqlite3_last_insert_rowid(database);
        run(NOTE_MESSAGE, "tti", reply->id, reply->conversation, reply->row);
        run(SAVE, "ttiiti", reply->conversation, reply->title, at, reply->unread, reply->words, reply->row);
        total++;
    }
    run(PROGRESS, "tii", reply->event, at, total);
    run(COMMIT, "");
    return is_new;
}

static GHashTable *popups;

static void on_action(NotifyNotification *popup, char *action, gpointer context) {}

static NotifyNotification *new_popup(const char *conversation, const char *summary, const char *body) {
    NotifyNotification *popup = notify_notification_new(summary, body, "io.cutied.Cutied");
    notify_notification_set_urgency(popup, NOTIFY_URGENCY_NORMAL);
    notify_notification_set_hint(popup, "desktop-entry", g_variant_new_string("io.cutied.Cutied"));
    notify_notification_set_hint(popup, "category", g_variant_new_string("im.received"));
    notify_notification_set_hint(popup, "x-canonical-private-synchronous", g_variant_new_string(conversation));
    notify_notification_set_hint(popup, "x-dunst-stack-tag", g_variant_new_string(conversation));
    notify_notification_add_action(popup, "default", "Open", on_action, NULL, NULL);
    notify_notification_add_action(popup, "reply", "Reply", on_action, NULL, NULL);
    notify_notification_add_action(popup, "mark-read", "Mark read", on_action, NULL, NULL);
    g_hash_table_insert(popups, g_strdup(conversation), popup);
    return popup;
}

static gint show(struct reply *reply) {
    char *summary = g_strdup_printf("%s — %s", reply->name, reply->title);
    char *body = g_strdup_printf("%d new replies\n%s", (int)reply->unread, reply->words);
    NotifyNotification *popup = g_hash_table_lookup(popups, reply->conversation);
    if (popup == NULL) {
        popup = new_popup(reply->conversation, summary, body);
    } else {
        notify_notification_update(popup, summary, body, "io.cutied.Cutied");
        notify_notification_set_hint(popup, "suppress-sound", g_variant_new_boolean(TRUE));
    }
    notify_notification_show(popup, NULL);
    gint id;
    g_object_get(popup, "id", &id, NULL);
    g_free(summary);
    g_free(body);
    return id;
}

static void keep_shown(struct reply *reply, gint id) {
    sqlite3_int64 at = now();
    run(BEGIN, "");
    run(SHOWN, "iti", at, "notification", reply->row);
    run(POPUP, "tiiii", reply->conversation, (sqlite3_int64)id, reply->unread, reply->row, at);
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
