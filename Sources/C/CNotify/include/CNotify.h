/// Notifications through libnotify. The interface consists of strings, numbers and callbacks, so that callers
/// need neither GLib nor D-Bus. All functions must be called on the thread that entered the loop, because
/// libnotify's process-wide proxy delivers signals to it. Exceptions: `cnotify_loop_new`,
/// `cnotify_loop_wake`, and functions that are documented to allow any thread.
#ifndef CNOTIFY_H
#define CNOTIFY_H

#include "loop.h"
#include "popup.h"
#include "server.h"
#include "signals.h"

#endif
