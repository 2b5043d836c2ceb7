/// Pop-ups through libnotify, for callers that know neither GLib nor D-Bus: only strings, numbers and
/// callbacks cross this line. Everything but `cnotify_loop_new` and `cnotify_loop_wake` is called on
/// the one thread that entered the loop, because libnotify's process-wide proxy reports there.
#ifndef CNOTIFY_H
#define CNOTIFY_H

#include "loop.h"
#include "popup.h"
#include "server.h"
#include "signals.h"

#endif
