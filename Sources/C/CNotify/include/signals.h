/// What the notification server reports, for all pop-ups of the session. libnotify reports the clicks on and
/// the ends of pop-ups that it holds, but no typed replies and nothing about a pop-up that the server brings
/// back from its history. This listens to the same signals on libnotify's own proxy, by a GObject emission hook.
#ifndef CNOTIFY_SIGNALS_H
#define CNOTIFY_SIGNALS_H

#include <stddef.h>
#include <stdint.h>

typedef struct cnotify_signals cnotify_signals;

/// Receives reports about pop-ups of any program. `context` is the caller's own; strings are valid during the
/// call only. The functions may free pop-ups.
typedef struct {
    void *context;
    /// `token` is NULL if the server sent none.
    void (*acted)(void *context, uint32_t id, const char *action, const char *token);
    /// `reason` as the notification specification numbers it: 1 expired, 2 dismissed, 3 by call, 4 other.
    void (*closed)(void *context, uint32_t id, uint32_t reason);
    /// Reports what a person typed into the field of a pop-up (`inline-reply`): UTF-8, `size` bytes.
    void (*replied)(void *context, uint32_t id, const char *text, size_t size);
} cnotify_listener;

/// Starts listening. A signal that the owner of the server's name did not send is dropped. Returns NULL before
/// the first server has answered (`cnotify_server_ask`).
cnotify_signals *cnotify_signals_new(cnotify_listener listener);

void cnotify_signals_free(cnotify_signals *signals);

#endif
