/// The signals of the notification server for all notifications of the session. libnotify only reports clicks on
/// and the closing of notifications that it holds. It reports neither typed replies nor notifications that the server
/// shows again from its history. An emission hook of GObject reads these signals from libnotify's own proxy.
#ifndef CNOTIFY_SIGNALS_H
#define CNOTIFY_SIGNALS_H

#include <stddef.h>
#include <stdint.h>

typedef struct cnotify_signals cnotify_signals;

/// Receives the signals about notifications of all programs. `context` is passed through; strings are only valid
/// during the call. The functions may free notifications.
typedef struct {
    void *context;
    /// `token` is NULL if the server sent none.
    void (*acted)(void *context, uint32_t id, const char *action, const char *token);
    /// `reason` as in the notification specification: 1 expired, 2 dismissed, 3 closed by a call, 4
    /// undefined.
    void (*closed)(void *context, uint32_t id, uint32_t reason);
    /// `text`: `size` bytes of UTF-8 that the user typed into the reply field of a notification (`inline-reply`).
    void (*replied)(void *context, uint32_t id, const char *text, size_t size);
} cnotify_listener;

/// Starts to listen. Signals are ignored unless the owner of the server's name sent them. Returns NULL before
/// the first server has answered (`cnotify_server_ask`).
cnotify_signals *cnotify_signals_new(cnotify_listener listener);

void cnotify_signals_free(cnotify_signals *signals);

#endif
