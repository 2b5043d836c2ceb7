/// One pop-up on the screen. It is filled, shown, and kept until it is closed.
#ifndef CNOTIFY_POPUP_H
#define CNOTIFY_POPUP_H

#include "server.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct cnotify_popup cnotify_popup;

/// Where a pop-up reports. `context` is the caller's own; strings hold during the call only.
/// `closed` may free the pop-up, `acted` must not.
typedef struct {
    void *context;
    /// `token` is NULL where the server gives none.
    void (*acted)(void *context, uint32_t id, const char *action, const char *token);
    /// `reason` as the notification specification numbers it: 1 expired, 2 dismissed, 3 by call, 4 other.
    void (*closed)(void *context, uint32_t id, int reason);
} cnotify_listener;

/// `replaced`: the id of the pop-up to take the place of, or 0. Ids above INT32_MAX count as 0, as
/// libnotify cannot be told them. Needs a server that has answered (`cnotify_server_ask`): without,
/// libnotify would look for one again when the pop-up is freed.
cnotify_popup *cnotify_popup_new(
    const char *summary, const char *body, const char *icon, uint32_t replaced, cnotify_listener listener);

/// Has it say something else when it is shown the next time, in its own place.
void cnotify_popup_change(cnotify_popup *popup, const char *summary, const char *body, const char *icon);

/// Forgets the pop-up; on the screen it stays.
void cnotify_popup_free(cnotify_popup *popup);

/// 0 low, 1 normal, 2 critical.
void cnotify_popup_set_urgency(cnotify_popup *popup, int urgency);
/// Milliseconds; 0 never, -1 as the server likes.
void cnotify_popup_set_timeout(cnotify_popup *popup, int milliseconds);
void cnotify_popup_set_text_hint(cnotify_popup *popup, const char *name, const char *value);
void cnotify_popup_set_flag_hint(cnotify_popup *popup, const char *name);
void cnotify_popup_remove_hint(cnotify_popup *popup, const char *name);
/// Neither may be empty. libnotify keeps no order of actions.
void cnotify_popup_add_action(cnotify_popup *popup, const char *action, const char *label);
void cnotify_popup_remove_actions(cnotify_popup *popup);

/// Returns the server's id, or 0: see `failure`. May wait for 25 s.
uint32_t cnotify_popup_show(cnotify_popup *popup, cnotify_failure *failure);

/// Takes it off the screen. False: see `failure`; a server that has it no more may refuse. May wait for 25 s.
bool cnotify_popup_close(cnotify_popup *popup, cnotify_failure *failure);

/// Whether `path` is an absolute one of a regular file here.
bool cnotify_is_local_file(const char *path);

#endif
