/// A private GLib main context that runs the proxy and the callbacks of libnotify.
#ifndef CNOTIFY_LOOP_H
#define CNOTIFY_LOOP_H

#include <stdbool.h>

typedef struct cnotify_loop cnotify_loop;

/// Creates a loop, which is never freed.
cnotify_loop *cnotify_loop_new(void);

/// Binds the loop to the calling thread permanently. Must be called once, before any other libnotify call.
void cnotify_loop_enter(cnotify_loop *loop);

/// Runs all ready callbacks. If `wait` is true and no callback is ready, first waits for a callback or for
/// `cnotify_loop_wake`.
void cnotify_loop_iterate(cnotify_loop *loop, bool wait);

/// Interrupts the current wait of `cnotify_loop_iterate`, or prevents its next wait. May be called on any
/// thread.
void cnotify_loop_wake(cnotify_loop *loop);

#endif
