#ifndef CTRAY_TRAY_PRIVATE_H
#define CTRAY_TRAY_PRIVATE_H

#include "tray.h"

#include <gio/gio.h>
#include <libdbusmenu-glib/dbusmenu-glib.h>

struct ctray {
    ctray_listener listener;
    GDBusConnection *bus;
    /// The bus name under which the icon is published.
    char *name;
    char *title;
    char *icon, *heading, *text, *label;
    /// The activation token for the next click; NULL if there is no token.
    char *token;
    DbusmenuServer *menu;
    /// The menu and the submenu that are being built; NULL if there is none.
    DbusmenuMenuitem *next_menu, *next_submenu;
    char *launcher_uri, *launcher_path;
    int64_t count;
    /// Whether a tray host and a launcher exist; -1 until the bus has responded.
    int has_tray, has_launcher;
};

/// Publishes the icon on the bus, and registers it with each tray host that appears.
void ctray_publish_icon(ctray *tray);

/// Sends the count to the current launcher, and to each launcher that appears later.
void ctray_publish_count(ctray *tray);

void ctray_publish_menu(ctray *tray);

/// Calls `hosts_changed` if both `has_tray` and `has_launcher` are known.
void ctray_report_hosts(ctray *tray);

#define CTRAY_MENU_PATH "/MenuBar"

#endif
