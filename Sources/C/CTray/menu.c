#include "tray_private.h"

static void chosen(DbusmenuMenuitem *item, guint time, gpointer data) {
    (void)time;
    ctray *tray = data;
    // Copy the command, because the listener may replace the menu, which frees the item.
    char *command = g_strdup(g_object_get_data(G_OBJECT(item), "command"));
    tray->listener.chosen(tray->listener.context, command);
    g_free(command);
}

void ctray_publish_menu(ctray *tray) {
    tray->menu = dbusmenu_server_new(CTRAY_MENU_PATH);
    ctray_menu_begin(tray);
    ctray_menu_show(tray);
}

void ctray_menu_begin(ctray *tray) {
    g_clear_object(&tray->next_menu);
    tray->next_submenu = NULL;
    tray->next_menu = dbusmenu_menuitem_new();
}

/// Adds an item to the open submenu, or to the menu if no submenu is open.
static void add(ctray *tray, DbusmenuMenuitem *item) {
    dbusmenu_menuitem_child_append(tray->next_submenu ? tray->next_submenu : tray->next_menu, item);
    g_object_unref(item);
}

void ctray_menu_add(ctray *tray, const char *label, const char *command) {
    DbusmenuMenuitem *item = dbusmenu_menuitem_new();
    dbusmenu_menuitem_property_set(item, DBUSMENU_MENUITEM_PROP_LABEL, label);
    if (command == NULL) {
        dbusmenu_menuitem_property_set_bool(item, DBUSMENU_MENUITEM_PROP_ENABLED, FALSE);
    } else {
        g_object_set_data_full(G_OBJECT(item), "command", g_strdup(command), g_free);
        g_signal_connect(item, DBUSMENU_MENUITEM_SIGNAL_ITEM_ACTIVATED, G_CALLBACK(chosen), tray);
    }
    add(tray, item);
}

void ctray_menu_add_separator(ctray *tray) {
    DbusmenuMenuitem *item = dbusmenu_menuitem_new();
    dbusmenu_menuitem_property_set(item, DBUSMENU_MENUITEM_PROP_TYPE, "separator");
    add(tray, item);
}

void ctray_menu_begin_submenu(ctray *tray, const char *label) {
    DbusmenuMenuitem *item = dbusmenu_menuitem_new();
    dbusmenu_menuitem_property_set(item, DBUSMENU_MENUITEM_PROP_LABEL, label);
    dbusmenu_menuitem_property_set(
        item, DBUSMENU_MENUITEM_PROP_CHILD_DISPLAY, DBUSMENU_MENUITEM_CHILD_DISPLAY_SUBMENU);
    add(tray, item);
    tray->next_submenu = item;
}

void ctray_menu_end_submenu(ctray *tray) { tray->next_submenu = NULL; }

void ctray_menu_show(ctray *tray) {
    dbusmenu_server_set_root(tray->menu, tray->next_menu);
    tray->next_submenu = NULL;
    g_clear_object(&tray->next_menu);
}
