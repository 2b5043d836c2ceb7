#ifndef CTRAY_TRAY_PRIVATE_H
#define CTRAY_TRAY_PRIVATE_H

#include "tray.h"

#include <gio/gio.h>
#include <libdbusmenu-glib/dbusmenu-glib.h>

struct ctray {
    ctray_listener listener;
    GDBusConnection *bus;
    /// The bus name of the icon.
    char *name;
    char *title;
    char *icon, *heading, *text, *label;
    /// The token for the next click; NULL if there is none.
    char *token;
    DbusmenuServer *menu;
    /// The menu and submenu that are being built; NULL if there is none.
    DbusmenuMenuitem *next_menu, *next_submenu;
    char *launcher_uri, *launcher_path;
    int64_t count;
    /// -1 until the bus has answered.
    int has_tray, has_launcher;
};

/// Publishes the icon on the bus, and registers it with each tray.
void ctray_publish_icon(ctray *tray);

/// Sends the count to launchers, and again to each new one.
void ctray_publish_count(ctray *tray);

void ctray_publish_menu(ctray *tray);

/// Reports the hosts if both are known.
void ctray_report_hosts(ctray *tray);

#define CTRAY_MENU_PATH "/MenuBar"

#endif
