/// Notifications through libnotify. The interface uses only strings, numbers and callbacks, so callers need
/// neither GLib nor D-Bus. All functions must be called on the thread that entered the loop, because the
/// proxy of libnotify delivers signals to that thread. The exceptions are `cnotify_loop_new`,
/// `cnotify_loop_wake`, and functions whose comments allow any thread.
#ifndef CNOTIFY_H
#define CNOTIFY_H

#include "loop.h"
#include "popup.h"
#include "server.h"
#include "signals.h"

#endif
