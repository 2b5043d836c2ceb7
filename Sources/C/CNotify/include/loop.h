/// A private GLib main context: what libnotify's proxy and its callbacks run on.
#ifndef CNOTIFY_LOOP_H
#define CNOTIFY_LOOP_H

#include <stdbool.h>

typedef struct cnotify_loop cnotify_loop;

/// Lives as long as the process.
cnotify_loop *cnotify_loop_new(void);

/// Makes the loop the calling thread's, for good. To be called once, before anything of libnotify.
void cnotify_loop_enter(cnotify_loop *loop);

/// Runs what is ready; with `wait`, sleeps until something is or until the loop is woken.
void cnotify_loop_iterate(cnotify_loop *loop, bool wait);

/// Ends the sleep of `cnotify_loop_iterate`, or prevents the next one. From any thread.
void cnotify_loop_wake(cnotify_loop *loop);

#endif
