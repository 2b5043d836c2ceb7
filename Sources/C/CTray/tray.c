#include "tray_private.h"

static void closed(GDBusConnection *bus, gboolean remote, GError *error, gpointer data) {
    (void)bus, (void)remote, (void)error;
    ctray *tray = data;
    tray->listener.disconnected(tray->listener.context);
}

/// Discards the errors that GDBus logs for calls on a closed connection. The callback `closed` already reports the
/// end of the connection.
static void log_unless_closed(const char *domain, GLogLevelFlags level, const char *message, gpointer bus) {
    if (!g_dbus_connection_is_closed(bus))
        g_log_default_handler(domain, level, message, NULL);
}

void ctray_report_hosts(ctray *tray) {
    if (tray->has_tray >= 0 && tray->has_launcher >= 0)
        tray->listener.hosts_changed(tray->listener.context, tray->has_tray, tray->has_launcher);
}

/// Acquires a bus name, so that only one process per session shows the icon. Returns false if another process
/// owns the name.
static bool take_name(GDBusConnection *bus) {
    const guint32 do_not_queue = 4;
    guint32 result = 0;
    GVariant *answer = g_dbus_connection_call_sync(
        bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
        g_variant_new("(su)", "io.cutied.Indicator", do_not_queue), G_VARIANT_TYPE("(u)"),
        G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
    if (answer != NULL) {
        g_variant_get(answer, "(u)", &result);
        g_variant_unref(answer);
    }
    return result == 1;
}

ctray *ctray_new(ctray_listener listener, const char *desktop_entry, const char *title) {
    GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
    if (bus == NULL)
        return NULL;
    // Prevent GLib from terminating the process with a signal when the bus closes the connection. The service
    // manager would then restart the process.
    g_dbus_connection_set_exit_on_close(bus, FALSE);
    g_log_set_handler("GLib-GIO", G_LOG_LEVEL_CRITICAL, log_unless_closed, bus);
    if (!take_name(bus))
        return NULL;
    ctray *tray = g_new0(ctray, 1);
    tray->listener = listener;
    tray->bus = bus;
    tray->has_tray = tray->has_launcher = -1;
    tray->title = g_strdup(title);
    tray->icon = g_strdup("");
    tray->heading = g_strdup(title);
    tray->text = g_strdup("");
    tray->label = g_strdup("");
    tray->launcher_uri = g_strdup_printf("application://%s.desktop", desktop_entry);
    tray->launcher_path = g_strdup_printf("/com/canonical/unity/launcherentry/%u", g_str_hash(tray->launcher_uri));
    g_signal_connect(bus, "closed", G_CALLBACK(closed), tray);
    ctray_publish_menu(tray);
    ctray_publish_icon(tray);
    ctray_publish_count(tray);
    return tray;
}

void ctray_iterate(bool wait) { g_main_context_iteration(NULL, wait); }

void ctray_wake(void) { g_main_context_wakeup(NULL); }

void ctray_flush(ctray *tray) { g_dbus_connection_flush_sync(tray->bus, NULL, NULL); }
