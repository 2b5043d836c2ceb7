#include "loop.h"

#include <glib.h>

struct cnotify_loop {
    GMainContext *context;
};

cnotify_loop *cnotify_loop_new(void) {
    cnotify_loop *loop = g_new(cnotify_loop, 1);
    loop->context = g_main_context_new();
    return loop;
}

void cnotify_loop_enter(cnotify_loop *loop) { g_main_context_push_thread_default(loop->context); }

void cnotify_loop_iterate(cnotify_loop *loop, bool wait) { g_main_context_iteration(loop->context, wait); }

void cnotify_loop_wake(cnotify_loop *loop) { g_main_context_wakeup(loop->context); }
