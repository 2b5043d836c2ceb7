/// The session bus and the owner of the server's name, read from libnotify's own GObjects. GDBus is not
/// called, because libnotify's proxy must hold the only reference to the connection in the process, so that
/// `notify_uninit` frees a closed connection.
#ifndef CNOTIFY_BUS_H
#define CNOTIFY_BUS_H

#include "server.h"

#include <glib-object.h>

/// Starts to watch for the end of the connection. Must be called after each use of libnotify that may have
/// opened a connection, before the loop runs again. Has no effect if the watch has already started.
void cnotify_watch_bus(void);

/// Returns false and fills `failure` while a closed connection is still referenced, because libnotify would
/// reuse that connection.
bool cnotify_bus_is_open(cnotify_failure *failure);

/// Returns whether `sender` owns the name that `proxy` calls. Stores `proxy` as libnotify's proxy.
bool cnotify_is_owner(GObject *proxy, const char *sender);

/// Counts a change of the server and clears the owner. All IDs of the previous server are then invalid.
void cnotify_forget_owner(void);

#endif
