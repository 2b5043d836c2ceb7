/// GLib's errors in this shim's words.
#ifndef CNOTIFY_FAILURE_H
#define CNOTIFY_FAILURE_H

#include "server.h"

#include <gio/gio.h>

/// Always false, for `return cnotify_fail(...)`.
bool cnotify_fail(cnotify_failure *failure, cnotify_outcome outcome, const char *text);

/// Takes `error` over. Always false.
bool cnotify_fail_with(cnotify_failure *failure, GError *error);

/// Whether the session bus is there and alive; also keeps GDBus from ending the process with it.
bool cnotify_bus_is_alive(cnotify_failure *failure);

#endif
