/// The notification server's signals for all notifications of the session. libnotify reports clicks and
/// closing only for notifications of this process, and neither typed replies nor notifications that the
/// server shows again from its history. An emission hook of GObject reads the signals from libnotify's own
/// proxy.
#ifndef CNOTIFY_SIGNALS_H
#define CNOTIFY_SIGNALS_H

#include <stddef.h>
#include <stdint.h>

typedef struct cnotify_signals cnotify_signals;

/// The callbacks for signals about notifications of all programs. `context` is passed to the callbacks;
/// strings are valid only during the call. The callbacks may free notifications.
typedef struct {
    void *context;
    /// `token` is NULL if the server sent none.
    void (*acted)(void *context, uint32_t id, const char *action, const char *token);
    /// `reason`: as in the notification specification, 1 expired, 2 dismissed, 3 closed by a call, 4
    /// undefined.
    void (*closed)(void *context, uint32_t id, uint32_t reason);
    /// `text`: `size` bytes of UTF-8 that the user typed into a notification's reply field (`inline-reply`).
    void (*replied)(void *context, uint32_t id, const char *text, size_t size);
} cnotify_listener;

/// Starts to listen. Signals that the owner of the server's name did not send are ignored. Returns NULL until
/// a server responded (`cnotify_server_ask`).
cnotify_signals *cnotify_signals_new(cnotify_listener listener);

void cnotify_signals_free(cnotify_signals *signals);

#endif
