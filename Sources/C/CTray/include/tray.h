/// A status icon with a menu, and the count of a launcher, by GDBus and libdbusmenu-glib. GTK 4 has no status
/// icons, and the library for GTK 3 uses ten times the memory. The interface consists of strings, numbers and
/// callbacks, so that callers need neither GLib nor D-Bus.
///
/// Call all functions except `ctray_wake` on one thread, which runs GLib's default main context:
/// libdbusmenu-glib uses no other one.
#ifndef CTRAY_TRAY_H
#define CTRAY_TRAY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ctray ctray;

/// The callbacks, which run on the thread of the tray.
typedef struct {
    void *context;
    /// The icon was clicked. `token`: the activation token; NULL on X11 and from older hosts.
    void (*activated)(void *context, const char *token);
    /// A menu item was chosen.
    void (*chosen)(void *context, const char *command);
    /// A tray that shows icons or a launcher that shows counts appeared or disappeared. The first call
    /// follows when both are known.
    void (*hosts_changed)(void *context, bool has_tray, bool has_launcher);
    /// The session bus has closed the connection.
    void (*disconnected)(void *context);
} ctray_listener;

/// Connects to the session bus and publishes the icon. `desktop_entry`: the name of the launcher's desktop
/// file, without suffix. Returns NULL if there is no session bus, or if another process shows the icon in this
/// session. The tray lives as long as the process.
ctray *ctray_new(ctray_listener listener, const char *desktop_entry, const char *title);

/// Runs the callbacks that are ready. If `wait` is true and none is ready, sleeps until one is or until
/// `ctray_wake`.
void ctray_iterate(bool wait);

/// Ends the sleep of `ctray_iterate`, or prevents its next sleep. Can be called on any thread.
void ctray_wake(void);

/// Changes the icon and its tooltip. `label`: the text beside the icon, for hosts that show one.
void ctray_set_icon(
    ctray *tray, const char *icon, const char *heading, const char *text, const char *label);

/// Begins a new menu.
void ctray_menu_begin(ctray *tray);
/// Adds an item. `command`: what `chosen` receives; NULL for an item that cannot be chosen.
void ctray_menu_add(ctray *tray, const char *label, const char *command);
void ctray_menu_add_separator(ctray *tray);
/// Adds the following items to a submenu, until `ctray_menu_end_submenu`.
void ctray_menu_begin_submenu(ctray *tray, const char *label);
void ctray_menu_end_submenu(ctray *tray);
/// Replaces the current menu with the new one.
void ctray_menu_show(ctray *tray);

/// Sets the number that the launcher shows; 0 shows none.
void ctray_set_count(ctray *tray, int64_t count);

/// Waits until everything was sent.
void ctray_flush(ctray *tray);

#endif
