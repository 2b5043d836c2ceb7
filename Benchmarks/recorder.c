// A notification server that shows nothing. Prints one line for each call of Notify: "NANOSECONDS
// LAST-LINE-OF-BODY". The time is CLOCK_MONOTONIC, read before the call is handled.
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char interface[] =
    "<node><interface name='org.freedesktop.Notifications'>"
    "<method name='GetServerInformation'><arg type='s' direction='out'/><arg type='s' direction='out'/>"
    "<arg type='s' direction='out'/><arg type='s' direction='out'/></method>"
    "<method name='GetCapabilities'><arg type='as' direction='out'/></method>"
    "<method name='Notify'><arg type='s' direction='in'/><arg type='u' direction='in'/>"
    "<arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='s' direction='in'/>"
    "<arg type='as' direction='in'/><arg type='a{sv}' direction='in'/><arg type='i' direction='in'/>"
    "<arg type='u' direction='out'/></method>"
    "<method name='CloseNotification'><arg type='u' direction='in'/></method>"
    "<signal name='NotificationClosed'><arg type='u'/><arg type='u'/></signal>"
    "<signal name='ActionInvoked'><arg type='u'/><arg type='s'/></signal>"
    "</interface></node>";

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static GVariant *shown(GVariant *parameters, long long at) {
    static guint32 last;
    guint32 id;
    const char *body;
    g_variant_get_child(parameters, 1, "u", &id);
    g_variant_get_child(parameters, 4, "&s", &body);
    const char *line = strrchr(body, '\n');
    printf("%lld %s\n", at, line == NULL ? body : line + 1);
    return g_variant_new("(u)", id != 0 ? id : ++last);
}

static void answer(
    GDBusConnection *bus, const char *sender, const char *path, const char *type, const char *method,
    GVariant *parameters, GDBusMethodInvocation *call, gpointer context) {
    long long at = now();
    GVariant *reply = NULL;
    if (strcmp(method, "Notify") == 0) {
        reply = shown(parameters, at);
    } else if (strcmp(method, "GetCapabilities") == 0) {
        const char *capabilities[] = {"actions", "body", NULL};
        reply = g_variant_new("(^as)", capabilities);
    } else if (strcmp(method, "GetServerInformation") == 0) {
        reply = g_variant_new("(ssss)", "recorder", "cutied", "1", "1.2");
    }
    g_dbus_method_invocation_return_value(call, reply);
}

static void on_bus(GDBusConnection *bus, const char *name, gpointer node) {
    static const GDBusInterfaceVTable table = {.method_call = answer};
    GDBusInterfaceInfo *info = ((GDBusNodeInfo *)node)->interfaces[0];
    g_dbus_connection_register_object(bus, "/org/freedesktop/Notifications", info, &table, NULL, NULL, NULL);
}

static void on_name(GDBusConnection *bus, const char *name, gpointer context) { puts("ready"); }

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    GDBusNodeInfo *node = g_dbus_node_info_new_for_xml(interface, NULL);
    g_bus_own_name(
        G_BUS_TYPE_SESSION, "org.freedesktop.Notifications", G_BUS_NAME_OWNER_FLAGS_NONE, on_bus, on_name,
        NULL, node, NULL);
    g_main_loop_run(g_main_loop_new(NULL, FALSE));
}
