/// A notification handle. The caller sets the content, shows the notification, and finally frees the handle.
#ifndef CNOTIFY_POPUP_H
#define CNOTIFY_POPUP_H

#include "server.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct cnotify_popup cnotify_popup;

/// Creates a notification that replaces the notification `replaced`; 0 to replace no notification. An ID
/// above INT32_MAX counts as 0, because libnotify cannot set it. Must be called only after a server has
/// responded (`cnotify_server_query`): otherwise libnotify would search for a server again when the
/// notification is freed.
cnotify_popup *cnotify_popup_new(
    const char *summary, const char *body, const char *icon, uint32_t replaced);

/// Replaces the summary, the body and the icon. The next call of `cnotify_popup_show` sends the changes to
/// the server.
void cnotify_popup_set_texts(cnotify_popup *popup, const char *summary, const char *body, const char *icon);

/// Frees the handle. The notification stays visible.
void cnotify_popup_free(cnotify_popup *popup);

/// Sets the urgency: 0 low, 1 normal, 2 critical.
void cnotify_popup_set_urgency(cnotify_popup *popup, int urgency);
/// Sets the timeout in milliseconds: 0 to never expire, -1 for the default of the server.
void cnotify_popup_set_timeout(cnotify_popup *popup, int milliseconds);
void cnotify_popup_set_text_hint(cnotify_popup *popup, const char *name, const char *value);
void cnotify_popup_set_flag_hint(cnotify_popup *popup, const char *name);
void cnotify_popup_remove_hint(cnotify_popup *popup, const char *name);
/// Adds an action. Neither string may be empty. libnotify does not preserve the order of the actions.
void cnotify_popup_add_action(cnotify_popup *popup, const char *action, const char *label);
void cnotify_popup_remove_actions(cnotify_popup *popup);

/// Shows the notification and returns its ID on the server. On failure, returns 0 and fills `failure`. May
/// block for 25 s.
uint32_t cnotify_popup_show(cnotify_popup *popup, cnotify_failure *failure);

/// Closes the notification. On failure, returns false and fills `failure`. Some servers return an error if
/// the notification is already closed. May block for 25 s.
bool cnotify_popup_close(cnotify_popup *popup, cnotify_failure *failure);

/// Returns whether `path` is the absolute path of an existing regular file.
bool cnotify_is_local_file(const char *path);

#endif
