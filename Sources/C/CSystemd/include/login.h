/// The login API of libsystemd, without the functions that require D-Bus.
#ifndef CSYSTEMD_LOGIN_H
#define CSYSTEMD_LOGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Writes the ID of the user's graphical session to `id`, a buffer of `size` bytes. Returns 0, -ENODATA if
/// there is no graphical session, or another negative errno.
int csystemd_find_display(uint32_t user, char *id, size_t size);

/// A queue of the changes that logind reports about users, for example a login or another graphical session.
typedef struct sd_login_monitor csystemd_user_changes;

/// Returns a new queue; NULL if logind does not run, or if the user has too many inotify instances. Free the queue with
/// `csystemd_user_changes_free`.
csystemd_user_changes *csystemd_user_changes_new(void);

void csystemd_user_changes_free(csystemd_user_changes *changes);

/// Returns whether the queue contains a change, and empties the queue. Does not block.
bool csystemd_user_changes_take(csystemd_user_changes *changes);

#endif
