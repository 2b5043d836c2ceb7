/// A status icon with a menu, and the count on a launcher, through GDBus and libdbusmenu-glib. GTK 4 has no
/// status icons, and the library for GTK 3 uses ten times the memory. The interface consists of strings,
/// numbers and callbacks, so that callers need neither GLib nor D-Bus.
///
/// All functions except `ctray_wake` must be called on the same thread, which runs GLib's default main
/// context, because libdbusmenu-glib uses only that context.
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
    /// A tray that shows icons, or a launcher that shows counts, appeared or disappeared. First called when
    /// the presence of both is known.
    void (*hosts_changed)(void *context, bool has_tray, bool has_launcher);
    /// The session bus closed the connection.
    void (*disconnected)(void *context);
} ctray_listener;

/// Connects to the session bus and publishes the icon. `desktop_entry`: the name of the launcher's .desktop
/// file, without the extension. Returns NULL if there is no session bus, or if another process shows the icon
/// in this session. The tray exists until the process exits.
ctray *ctray_new(ctray_listener listener, const char *desktop_entry, const char *title);

/// Runs the callbacks that are ready. If `wait` is true and no callback is ready, sleeps until a callback is
/// ready or until `ctray_wake` is called.
void ctray_iterate(bool wait);

/// Ends the sleep of `ctray_iterate`, or prevents its next sleep. May be called on any thread.
void ctray_wake(void);

/// Changes the icon and its tooltip. `label`: the text next to the icon, for hosts that show a label.
void ctray_set_icon(
    ctray *tray, const char *icon, const char *heading, const char *text, const char *label);

/// Starts to build a new menu. The current menu stays until `ctray_menu_show` is called.
void ctray_menu_begin(ctray *tray);
/// Adds an item to the new menu. `command`: the argument of `chosen`; NULL for an item that cannot be chosen.
void ctray_menu_add(ctray *tray, const char *label, const char *command);
void ctray_menu_add_separator(ctray *tray);
/// Starts a submenu, to which the following items are added until `ctray_menu_end_submenu`.
void ctray_menu_begin_submenu(ctray *tray, const char *label);
void ctray_menu_end_submenu(ctray *tray);
/// Replaces the current menu with the menu that was built.
void ctray_menu_show(ctray *tray);

/// Sets the number on the launcher; 0 for none.
void ctray_set_count(ctray *tray, int64_t count);

/// Waits until all pending messages are sent.
void ctray_flush(ctray *tray);

#endif
