/// A private GLib main context, on which libnotify's proxy and its callbacks run.
#ifndef CNOTIFY_LOOP_H
#define CNOTIFY_LOOP_H

#include <stdbool.h>

typedef struct cnotify_loop cnotify_loop;

/// Creates a loop, which exists until the process exits.
cnotify_loop *cnotify_loop_new(void);

/// Permanently assigns the loop to the calling thread. Must be called once, before any other use of
/// libnotify.
void cnotify_loop_enter(cnotify_loop *loop);

/// Runs the callbacks that are ready. If `wait` is true and no callback is ready, sleeps until a callback is
/// ready or until `cnotify_loop_wake` is called.
void cnotify_loop_iterate(cnotify_loop *loop, bool wait);

/// Ends the sleep of `cnotify_loop_iterate`, or prevents its next sleep. May be called on any thread.
void cnotify_loop_wake(cnotify_loop *loop);

#endif
