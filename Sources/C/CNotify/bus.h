/// The session bus connection and the owner of the server's bus name, read from the GObjects of libnotify.
/// The code does not call GDBus functions, because the proxy of libnotify must have the only reference to the
/// connection: otherwise `notify_uninit` would not free a closed connection.
#ifndef CNOTIFY_BUS_H
#define CNOTIFY_BUS_H

#include "server.h"

#include <glib-object.h>

/// Starts to watch for the loss of the bus connection. Must be called after each libnotify call that may have
/// opened a connection, before the loop runs again. Once the watch has started, further calls have no effect.
void cnotify_watch_bus(void);

/// Returns whether the bus connection is usable. If a closed connection is still referenced (libnotify would
/// reuse it), fills `failure` and returns false.
bool cnotify_bus_is_open(cnotify_failure *failure);

/// Stores `proxy` as the proxy of libnotify. Returns whether `sender` owns the bus name that `proxy` calls.
bool cnotify_is_owner(GObject *proxy, const char *sender);

/// Forgets the owner of the bus name and counts a server change, which invalidates all IDs of the previous
/// server.
void cnotify_forget_owner(void);

#endif
