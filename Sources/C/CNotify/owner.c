#include "owner.h"

#include "server.h"

#include <gio/gio.h>

static GDBusConnection *watched_bus;  // weak: a closed one that is held would be handed out again
static guint watch;
static char *owner;
static uint32_t changes;

static void on_gone(GDBusConnection *bus, const char *name, gpointer data) {
    (void)bus, (void)name, (void)data;
    if (owner != NULL) changes++;
    g_clear_pointer(&owner, g_free);
}

static void on_there(GDBusConnection *bus, const char *name, const char *new_owner, gpointer data) {
    if (g_strcmp0(owner, new_owner) == 0) return;
    on_gone(bus, name, data);
    owner = g_strdup(new_owner);
}

void cnotify_unwatch_owner(void) {
    if (watch != 0) g_bus_unwatch_name(watch);
    watch = 0;
    g_clear_weak_pointer(&watched_bus);
    on_gone(NULL, NULL, NULL);
}

// It costs no wake-up of its own: libnotify's proxy is told of the same changes, and keeps them.
void cnotify_watch_owner(void) {
    GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
    if (bus != NULL && bus != watched_bus) {
        cnotify_unwatch_owner();
        g_set_weak_pointer(&watched_bus, bus);
        watch = g_bus_watch_name_on_connection(
            bus, "org.freedesktop.Notifications", G_BUS_NAME_WATCHER_FLAGS_NONE, on_there, on_gone, NULL, NULL);
    }
    g_clear_object(&bus);
}

uint32_t cnotify_server_changes(void) { return changes; }
