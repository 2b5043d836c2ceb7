/// What a person typed into a pop-up, on servers that have a field for it (`inline-reply`: Plasma, swaync).
/// libnotify delivers clicks and ends, but not the signal NotificationReplied: this listens for it beside
/// libnotify, on the same connection.
#ifndef CNOTIFY_REPLIES_H
#define CNOTIFY_REPLIES_H

#include "server.h"

#include <stddef.h>
#include <stdint.h>

typedef struct cnotify_replies cnotify_replies;

/// `text` is UTF-8, `size` bytes of it, and holds during the call only. `id` may be any program's pop-up.
typedef void (*cnotify_replied)(void *context, uint32_t id, const char *text, size_t size);

/// Listens on the session bus of now. NULL: see `failure`.
cnotify_replies *cnotify_replies_new(cnotify_replied replied, void *context, cnotify_failure *failure);

void cnotify_replies_free(cnotify_replies *replies);

#endif
