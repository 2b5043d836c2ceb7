/// The service manager API of libsystemd. The functions are written in C, because the headers of libsystemd
/// include headers of the C library, whose declarations Swift would then assign to the module of libsystemd.
#ifndef CSYSTEMD_SERVICE_MANAGER_H
#define CSYSTEMD_SERVICE_MANAGER_H

#include <stdint.h>

/// Sends assignments, one per line, to the service manager. Has no effect without a service manager.
void csystemd_notify(const char *assignments);

/// Sends assignments without blocking. If the service manager does not read its messages, drops the message,
/// whereas `csystemd_notify` waits.
void csystemd_notify_nonblocking(const char *assignments);

/// Returns the watchdog interval in microseconds; 0 if the watchdog is disabled.
uint64_t csystemd_watchdog_microseconds(void);

/// Returns the descriptor that the service manager passed under this name. Returns -ENOENT if there is no
/// such descriptor, or another negative errno.
int csystemd_find_socket(const char *name);

#endif
