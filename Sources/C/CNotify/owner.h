/// Whether the server that gave an id is still there, which libnotify does not tell.
#ifndef CNOTIFY_OWNER_H
#define CNOTIFY_OWNER_H

/// Follows who shows notifications on the session bus, on the calling thread's loop. Nothing is done where that
/// bus is followed already.
void cnotify_watch_owner(void);

/// Lets go of the bus, which may be dead.
void cnotify_unwatch_owner(void);

#endif
