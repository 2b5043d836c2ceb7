#include "tray_private.h"

#include <string.h>
#include <unistd.h>

#define PATH "/StatusNotifierItem"
#define INTERFACE "org.kde.StatusNotifierItem"
#define WATCHER "org.kde.StatusNotifierWatcher"

static const char description[] =
    "<node><interface name='" INTERFACE "'>"
    "<property name='Category' type='s' access='read'/>"
    "<property name='Id' type='s' access='read'/>"
    "<property name='Title' type='s' access='read'/>"
    "<property name='Status' type='s' access='read'/>"
    "<property name='WindowId' type='i' access='read'/>"
    "<property name='IconThemePath' type='s' access='read'/>"
    "<property name='IconName' type='s' access='read'/>"
    "<property name='IconPixmap' type='a(iiay)' access='read'/>"
    "<property name='ToolTip' type='(sa(iiay)ss)' access='read'/>"
    "<property name='ItemIsMenu' type='b' access='read'/>"
    "<property name='Menu' type='o' access='read'/>"
    "<property name='XAyatanaLabel' type='s' access='read'/>"
    "<property name='XAyatanaLabelGuide' type='s' access='read'/>"
    "<method name='Activate'><arg type='i' direction='in'/><arg type='i' direction='in'/></method>"
    "<method name='SecondaryActivate'><arg type='i' direction='in'/><arg type='i' direction='in'/></method>"
    "<method name='ContextMenu'><arg type='i' direction='in'/><arg type='i' direction='in'/></method>"
    "<method name='Scroll'><arg type='i' direction='in'/><arg type='s' direction='in'/></method>"
    "<method name='ProvideXdgActivationToken'><arg type='s' direction='in'/></method>"
    "<signal name='NewIcon'/><signal name='NewToolTip'/>"
    "<signal name='XAyatanaNewLabel'><arg type='s'/><arg type='s'/></signal>"
    "</interface></node>";

static GVariant *no_pictures(void) { return g_variant_new_array(G_VARIANT_TYPE("(iiay)"), NULL, 0); }

static GVariant *get(
    GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *property,
    GError **error, gpointer data) {
    (void)bus, (void)sender, (void)path, (void)interface;
    ctray *tray = data;
    if (strcmp(property, "Category") == 0)
        return g_variant_new_string("Communications");
    if (strcmp(property, "Id") == 0)
        return g_variant_new_string("cutied-indicator");
    if (strcmp(property, "Title") == 0)
        return g_variant_new_string(tray->title);
    // Always report Active, because Plasma hides a Passive icon, and some tray hosts make a NeedsAttention
    // icon blink.
    if (strcmp(property, "Status") == 0)
        return g_variant_new_string("Active");
    if (strcmp(property, "WindowId") == 0)
        return g_variant_new_int32(0);
    if (strcmp(property, "IconThemePath") == 0)
        return g_variant_new_string("");
    if (strcmp(property, "IconName") == 0)
        return g_variant_new_string(tray->icon);
    if (strcmp(property, "IconPixmap") == 0)
        return no_pictures();
    if (strcmp(property, "ToolTip") == 0)
        return g_variant_new("(s@a(iiay)ss)", tray->icon, no_pictures(), tray->heading, tray->text);
    // With TRUE, tray hosts would open the menu instead of calling Activate.
    if (strcmp(property, "ItemIsMenu") == 0)
        return g_variant_new_boolean(FALSE);
    if (strcmp(property, "Menu") == 0)
        return g_variant_new_object_path(CTRAY_MENU_PATH);
    if (strcmp(property, "XAyatanaLabel") == 0)
        return g_variant_new_string(tray->label);
    if (strcmp(property, "XAyatanaLabelGuide") == 0)
        return g_variant_new_string("999");
    g_set_error(error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_PROPERTY, "%s is unknown", property);
    return NULL;
}

static void called(
    GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *method,
    GVariant *arguments, GDBusMethodInvocation *call, gpointer data) {
    (void)bus, (void)sender, (void)path, (void)interface;
    ctray *tray = data;
    if (strcmp(method, "ProvideXdgActivationToken") == 0) {
        const char *token;
        g_variant_get(arguments, "(&s)", &token);
        g_free(tray->token);
        tray->token = token[0] ? g_strdup(token) : NULL;
    }
    g_dbus_method_invocation_return_value(call, NULL);
    if (strcmp(method, "Activate") == 0) {
        // Take the activation token, which is valid only once.
        char *token = g_steal_pointer(&tray->token);
        tray->listener.activated(tray->listener.context, token);
        g_free(token);
    }
}

static void emit(ctray *tray, const char *signal, GVariant *arguments) {
    g_dbus_connection_emit_signal(tray->bus, NULL, PATH, INTERFACE, signal, arguments, NULL);
}

/// Registers the icon with a tray host that appeared. If the host rejects the icon, no icon is shown until
/// another host appears.
static void appeared(GDBusConnection *bus, const char *name, const char *owner, gpointer data) {
    (void)name;
    ctray *tray = data;
    g_dbus_connection_call(
        bus, owner, "/StatusNotifierWatcher", WATCHER, "RegisterStatusNotifierItem",
        g_variant_new("(s)", tray->name), NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, NULL, NULL);
    tray->has_tray = true;
    ctray_report_hosts(tray);
}

static void vanished(GDBusConnection *bus, const char *name, gpointer data) {
    (void)name;
    if (bus == NULL)
        return;
    ctray *tray = data;
    tray->has_tray = false;
    ctray_report_hosts(tray);
}

void ctray_publish_icon(ctray *tray) {
    static const GDBusInterfaceVTable functions = {.method_call = called, .get_property = get};
    GDBusNodeInfo *node = g_dbus_node_info_new_for_xml(description, NULL);
    g_dbus_connection_register_object(tray->bus, PATH, node->interfaces[0], &functions, tray, NULL, NULL);
    g_dbus_node_info_unref(node);
    tray->name = g_strdup_printf("org.kde.StatusNotifierItem-%d-1", (int)getpid());
    g_bus_own_name_on_connection(
        tray->bus, tray->name, G_BUS_NAME_OWNER_FLAGS_NONE, NULL, NULL, NULL, NULL);
    g_bus_watch_name_on_connection(
        tray->bus, WATCHER, G_BUS_NAME_WATCHER_FLAGS_NONE, appeared, vanished, tray, NULL);
}

/// Copies `value` to `place` if the values differ. Returns whether the values differed.
static bool change(char **place, const char *value) {
    if (strcmp(*place, value) == 0)
        return false;
    g_free(*place);
    *place = g_strdup(value);
    return true;
}

void ctray_set_icon(
    ctray *tray, const char *icon, const char *heading, const char *text, const char *label) {
    bool icon_changed = change(&tray->icon, icon);
    bool heading_changed = change(&tray->heading, heading), text_changed = change(&tray->text, text);
    if (icon_changed)
        emit(tray, "NewIcon", NULL);
    if (icon_changed || heading_changed || text_changed)
        emit(tray, "NewToolTip", NULL);
    if (change(&tray->label, label))
        emit(tray, "XAyatanaNewLabel", g_variant_new("(ss)", tray->label, "999"));
}
