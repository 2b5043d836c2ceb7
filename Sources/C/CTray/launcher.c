#include "tray_private.h"

#define LAUNCHER "com.canonical.Unity"

static void send_count(ctray *tray) {
    GVariantBuilder properties;
    g_variant_builder_init(&properties, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add(&properties, "{sv}", "count", g_variant_new_int64(tray->count));
    g_variant_builder_add(&properties, "{sv}", "count-visible", g_variant_new_boolean(tray->count > 0));
    g_dbus_connection_emit_signal(
        tray->bus, NULL, tray->launcher_path, LAUNCHER ".LauncherEntry", "Update",
        g_variant_new("(sa{sv})", tray->launcher_uri, &properties), NULL);
}

/// Sends the count to a launcher that appeared.
static void appeared(GDBusConnection *bus, const char *name, const char *owner, gpointer data) {
    (void)bus, (void)name, (void)owner;
    ctray *tray = data;
    tray->has_launcher = true;
    send_count(tray);
    ctray_report_hosts(tray);
}

static void vanished(GDBusConnection *bus, const char *name, gpointer data) {
    (void)name;
    if (bus == NULL)
        return;
    ctray *tray = data;
    tray->has_launcher = false;
    ctray_report_hosts(tray);
}

void ctray_publish_count(ctray *tray) {
    g_bus_watch_name_on_connection(
        tray->bus, LAUNCHER, G_BUS_NAME_WATCHER_FLAGS_NONE, appeared, vanished, tray, NULL);
}

void ctray_set_count(ctray *tray, int64_t count) {
    if (count == tray->count)
        return;
    tray->count = count;
    send_count(tray);
}
