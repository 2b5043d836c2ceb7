/// The signals of the notification server. This module is necessary because libnotify reports clicks and
/// closing only for notifications of this process, and does not report typed replies or clicks in the history
/// of the server. A GObject emission hook reads the signals from the proxy of libnotify.
#ifndef CNOTIFY_SIGNALS_H
#define CNOTIFY_SIGNALS_H

#include <stddef.h>
#include <stdint.h>

typedef struct cnotify_signals cnotify_signals;

/// The callbacks for signals, which may concern notifications of any program. The callbacks receive
/// `context`. Strings are valid only during the call. A callback may free notification handles.
typedef struct {
    void *context;
    /// The user clicked an action. `token` is the activation token; NULL if the server sent no token.
    void (*acted)(void *context, uint32_t id, const char *action, const char *token);
    /// A notification was closed. `reason` is defined in the notification specification: 1 expired, 2
    /// dismissed, 3 closed by a call, 4 undefined.
    void (*closed)(void *context, uint32_t id, uint32_t reason);
    /// The user typed a reply in the reply field of a notification (`inline-reply`). `text` contains `size`
    /// bytes of UTF-8.
    void (*replied)(void *context, uint32_t id, const char *text, size_t size);
} cnotify_listener;

/// Starts to listen for signals. Ignores signals from any sender except the owner of the server's bus name.
/// Returns NULL if no server has responded yet (`cnotify_server_query`).
cnotify_signals *cnotify_signals_new(cnotify_listener listener);

void cnotify_signals_free(cnotify_signals *signals);

#endif
