/// The service manager API of libsystemd. Swift does not include the headers of libsystemd, because they
/// include parts of the C library, which Swift would then treat as parts of libsystemd.
#ifndef CSYSTEMD_SERVICE_MANAGER_H
#define CSYSTEMD_SERVICE_MANAGER_H

#include <stdint.h>

/// Sends assignments, one per line, to the service manager. Has no effect without a service manager.
void csystemd_notify(const char *assignments);

/// Like `csystemd_notify`, but never blocks: the message is lost if the service manager does not read it.
/// `sd_notify` would wait.
void csystemd_notify_nonblocking(const char *assignments);

/// Returns the watchdog interval in microseconds; 0 if the watchdog is disabled.
uint64_t csystemd_watchdog_microseconds(void);

/// Returns the descriptor that the service manager passed with this name; -ENOENT if there is none; another
/// negative errno on failure.
int csystemd_find_socket(const char *name);

#endif
