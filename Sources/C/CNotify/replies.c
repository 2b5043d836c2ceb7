#include "replies.h"

#include "failure.h"

static const char name[] = "org.freedesktop.Notifications";

struct cnotify_replies {
    GDBusConnection *bus;
    guint subscription, watch;
    char *owner;  // NULL while nobody has the name
    cnotify_replied replied;
    void *context;
};

static void on_appeared(GDBusConnection *bus, const char *watched, const char *owner, gpointer data) {
    (void)bus, (void)watched;
    cnotify_replies *replies = data;
    g_free(replies->owner);
    replies->owner = g_strdup(owner);
}

static void on_vanished(GDBusConnection *bus, const char *watched, gpointer data) {
    (void)bus, (void)watched;
    cnotify_replies *replies = data;
    g_clear_pointer(&replies->owner, g_free);
}

static void on_replied(
    GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *signal,
    GVariant *parameters, gpointer data) {
    (void)bus, (void)path, (void)interface, (void)signal;
    cnotify_replies *replies = data;
    // Any program on the bus may send such a signal, and its words would go out as the person's.
    if (g_strcmp0(sender, replies->owner) != 0) return;
    if (!g_variant_is_of_type(parameters, G_VARIANT_TYPE("(us)"))) return;
    guint32 id;
    gsize size;
    g_variant_get_child(parameters, 0, "u", &id);
    GVariant *text = g_variant_get_child_value(parameters, 1);
    const char *bytes = g_variant_get_string(text, &size);
    replies->replied(replies->context, id, bytes, size);
    g_variant_unref(text);
}

cnotify_replies *cnotify_replies_new(cnotify_replied replied, void *context, cnotify_failure *failure) {
    if (!cnotify_bus_is_alive(failure)) return NULL;
    GError *error = NULL;
    GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, &error);
    if (bus == NULL) {
        cnotify_fail_with(failure, error);
        return NULL;
    }
    cnotify_replies *replies = g_new0(cnotify_replies, 1);
    replies->bus = bus;
    replies->replied = replied;
    replies->context = context;
    // Asked before anything is shown: who has the name is known before the first reply can come.
    replies->watch = g_bus_watch_name_on_connection(
        bus, name, G_BUS_NAME_WATCHER_FLAGS_NONE, on_appeared, on_vanished, replies, NULL);
    replies->subscription = g_dbus_connection_signal_subscribe(
        bus, NULL, name, "NotificationReplied", "/org/freedesktop/Notifications", NULL,
        G_DBUS_SIGNAL_FLAGS_NONE, on_replied, replies, NULL);
    return replies;
}

void cnotify_replies_free(cnotify_replies *replies) {
    g_dbus_connection_signal_unsubscribe(replies->bus, replies->subscription);
    g_bus_unwatch_name(replies->watch);
    g_object_unref(replies->bus);
    g_free(replies->owner);
    g_free(replies);
}
