/// The service manager's side of libsystemd. Its own headers bring parts of the C library with them, which
/// Swift then takes for theirs.
#ifndef CSYSTEMD_SERVICE_MANAGER_H
#define CSYSTEMD_SERVICE_MANAGER_H

#include <stdint.h>

/// Sends assignments, one a line, to the manager; nothing happens without one.
void csystemd_notify(const char *assignments);

/// The same for what is not worth waiting for: lost where the manager does not read. libsystemd waits.
void csystemd_mention(const char *assignments);

/// How often at least the manager wants to hear of us; 0 where it does not.
uint64_t csystemd_watchdog_microseconds(void);

/// The descriptor that the manager passed under this name; -ENOENT where there is none, another negative
/// errno on failure.
int csystemd_find_socket(const char *name);

#endif
