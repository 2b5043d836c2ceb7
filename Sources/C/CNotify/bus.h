/// The session bus and the owner of the server's name, as far as libnotify's own GObjects show them. GDBus is
/// not called: libnotify's proxy is the only reference to the connection in the process, so that a connection
/// that was closed is freed by `notify_uninit`.
#ifndef CNOTIFY_BUS_H
#define CNOTIFY_BUS_H

#include "server.h"

#include <glib-object.h>

/// Notices from now on when the bus closes the connection. To be called after each use of libnotify that may
/// have opened one, before the loop runs again.
void cnotify_watch_bus(void);

/// Returns false, and fills `failure`, while a closed connection is still referenced: libnotify would get the
/// same one again.
bool cnotify_bus_is_open(cnotify_failure *failure);

/// Returns whether `sender` owns the name that `proxy` calls. Remembers `proxy` as libnotify's.
bool cnotify_is_owner(GObject *proxy, const char *sender);

/// Counts a change of the server. All ids of the former server are invalid.
void cnotify_forget_owner(void);

#endif
