/// One pop-up on the screen. It is filled, shown, and kept until it is closed.
#ifndef CNOTIFY_POPUP_H
#define CNOTIFY_POPUP_H

#include "server.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct cnotify_popup cnotify_popup;

/// Creates a pop-up that replaces the one with the id `replaced`, if that is not 0. Ids above INT32_MAX count as
/// 0, because libnotify has no way to set them. Needs a server that has answered (`cnotify_server_ask`):
/// without one, libnotify would look for a server again when the pop-up is freed.
cnotify_popup *cnotify_popup_new(
    const char *summary, const char *body, const char *icon, uint32_t replaced);

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
