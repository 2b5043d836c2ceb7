#include "bus.h"

#include "failure.h"

static GObject *closed_bus;  // weak; NULL if no connection was closed
static GObject *proxy;       // weak; NULL until the server's first signal
static char *owner;          // the unique bus name of the server; NULL if unknown
static uint32_t changes;

static gboolean on_closed(
    GSignalInvocationHint *hint, guint count, const GValue *values, gpointer data) {
    (void)hint, (void)count, (void)data;
    GObject *bus = g_value_get_object(&values[0]);
    // Clear the property: otherwise GDBus raises SIGTERM after this hook.
    g_object_set(bus, "exit-on-close", FALSE, NULL);
    g_set_weak_pointer(&closed_bus, bus);
    return TRUE;
}

void cnotify_watch_bus(void) {
    static bool watches;
    GType type = g_type_from_name("GDBusConnection");
    // Do nothing before the first connection, because the signal `closed` does not exist until GLib loads the
    // class.
    if (watches || type == 0 || g_type_class_peek(type) == NULL) return;
    g_signal_add_emission_hook(g_signal_lookup("closed", type), 0, on_closed, NULL, NULL);
    watches = true;
}

bool cnotify_bus_is_open(cnotify_failure *failure) {
    return closed_bus == NULL
        || cnotify_fail(failure, CNOTIFY_NO_BUS, "the session bus has closed the connection");
}

static void set_owner(char *name) {
    if (owner != NULL && g_strcmp0(owner, name) != 0) changes++;
    g_free(owner);
    owner = name;
}

static void update_owner(void) {
    if (proxy == NULL) return;
    char *name = NULL;
    g_object_get(proxy, "g-name-owner", &name, NULL);
    set_owner(name);
}

bool cnotify_is_owner(GObject *source, const char *sender) {
    g_set_weak_pointer(&proxy, source);
    update_owner();
    return owner != NULL && g_strcmp0(owner, sender) == 0;
}

void cnotify_forget_owner(void) {
    g_clear_weak_pointer(&proxy);
    g_clear_pointer(&owner, g_free);
    changes++;
}

uint32_t cnotify_server_changes(void) {
    update_owner();
    return changes;
}

bool cnotify_knows_owner(void) {
    update_owner();
    return owner != NULL;
}

char *cnotify_server_instance(void) {
    if (!cnotify_knows_owner()) return NULL;
    GObject *connection = NULL;
    g_object_get(proxy, "g-connection", &connection, NULL);
    if (connection == NULL) return NULL;
    char *bus = NULL;
    g_object_get(connection, "guid", &bus, NULL);
    g_object_unref(connection);
    char *instance = bus == NULL ? NULL : g_strjoin(" ", bus, owner, NULL);
    g_free(bus);
    return instance;
}

void cnotify_free_instance(char *instance) { g_free(instance); }
