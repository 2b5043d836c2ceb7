/// A tray icon with a menu, and the count on a launcher, implemented with GDBus and libdbusmenu-glib: GTK 4
/// has no tray icons, and the library for GTK 3 needs ten times the memory. The interface uses only strings,
/// numbers and callbacks, so callers need neither GLib nor D-Bus.
///
/// All functions except `ctray_wake` must be called on the same thread, which runs GLib's default main
/// context, because libdbusmenu-glib uses only that context.
#ifndef CTRAY_TRAY_H
#define CTRAY_TRAY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ctray ctray;

/// The callbacks, which are called on the tray thread.
typedef struct {
    void *context;
    /// The user clicked the icon. `token` is the activation token; NULL on X11, or if the tray host sent no
    /// token.
    void (*activated)(void *context, const char *token);
    /// The user chose a menu item.
    void (*chosen)(void *context, const char *command);
    /// A tray host (which shows icons) or a launcher (which shows counts) appeared or disappeared. The first
    /// call is made when it is known whether there is a host and whether there is a launcher.
    void (*hosts_changed)(void *context, bool has_tray, bool has_launcher);
    /// The session bus closed the connection.
    void (*disconnected)(void *context);
} ctray_listener;

/// Connects to the session bus and publishes the icon. `desktop_entry` is the base name of the launcher's
/// .desktop file. Returns NULL if there is no session bus, or if another process already shows the icon in
/// this session. The result is never freed.
ctray *ctray_new(ctray_listener listener, const char *desktop_entry, const char *title);

/// Runs all ready callbacks. If `wait` is true and no callback is ready, first waits for a callback or for
/// `ctray_wake`.
void ctray_iterate(bool wait);

/// Interrupts the current wait of `ctray_iterate`, or prevents its next wait. May be called on any thread.
void ctray_wake(void);

/// Sets the icon, its tooltip (`heading` and `text`), and the label next to the icon, which only some tray
/// hosts show.
void ctray_set_icon(
    ctray *tray, const char *icon, const char *heading, const char *text, const char *label);

/// Starts a new menu. The current menu stays in use until `ctray_menu_show` is called.
void ctray_menu_begin(ctray *tray);
/// Adds an item to the new menu. `command` is passed to `chosen`; NULL if the user cannot choose the item.
void ctray_menu_add(ctray *tray, const char *label, const char *command);
void ctray_menu_add_separator(ctray *tray);
/// Starts a submenu. The following items are added to it until `ctray_menu_end_submenu` is called.
void ctray_menu_begin_submenu(ctray *tray, const char *label);
void ctray_menu_end_submenu(ctray *tray);
/// Replaces the current menu with the new menu.
void ctray_menu_show(ctray *tray);

/// Sets the count on the launcher; 0 to show no count.
void ctray_set_count(ctray *tray, int64_t count);

/// Waits until all pending D-Bus messages are sent.
void ctray_flush(ctray *tray);

#endif
