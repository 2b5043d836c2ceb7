/// A handle of a notification. The caller sets the content, shows the notification, and must free the handle.
#ifndef CNOTIFY_POPUP_H
#define CNOTIFY_POPUP_H

#include "server.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct cnotify_popup cnotify_popup;

/// Creates a notification that replaces the notification with the ID `replaced`; 0 for none. IDs above
/// INT32_MAX are treated as 0, because libnotify cannot set them. Must be called only after a server
/// responded (`cnotify_server_ask`); otherwise, libnotify would search for a server again when the
/// notification is freed.
cnotify_popup *cnotify_popup_new(
    const char *summary, const char *body, const char *icon, uint32_t replaced);

/// Replaces the summary, the body and the icon. The next call of `cnotify_popup_show` updates the
/// notification on the screen.
void cnotify_popup_change(cnotify_popup *popup, const char *summary, const char *body, const char *icon);

/// Frees the notification, which stays on the screen.
void cnotify_popup_free(cnotify_popup *popup);

/// `urgency`: 0 low, 1 normal, 2 critical.
void cnotify_popup_set_urgency(cnotify_popup *popup, int urgency);
/// `milliseconds`: 0 for no timeout, -1 for the server's default.
void cnotify_popup_set_timeout(cnotify_popup *popup, int milliseconds);
void cnotify_popup_set_text_hint(cnotify_popup *popup, const char *name, const char *value);
void cnotify_popup_set_flag_hint(cnotify_popup *popup, const char *name);
void cnotify_popup_remove_hint(cnotify_popup *popup, const char *name);
/// Adds an action. Neither string may be empty. libnotify does not preserve the order of actions.
void cnotify_popup_add_action(cnotify_popup *popup, const char *action, const char *label);
void cnotify_popup_remove_actions(cnotify_popup *popup);

/// Shows the notification and returns the server's ID. Returns 0 on failure, with the reason in `failure`.
/// May block for 25 s.
uint32_t cnotify_popup_show(cnotify_popup *popup, cnotify_failure *failure);

/// Removes the notification from the screen. Returns false on failure, with the reason in `failure`; a server
/// may return an error if it no longer has the notification. May block for 25 s.
bool cnotify_popup_close(cnotify_popup *popup, cnotify_failure *failure);

/// Returns whether `path` is the absolute path of an existing regular file.
bool cnotify_is_local_file(const char *path);

#endif
