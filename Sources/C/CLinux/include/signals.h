/// signalfd, whose header is missing from Swift's Glibc module.
#ifndef CLINUX_SIGNALS_H
#define CLINUX_SIGNALS_H

#include <signal.h>

/// Returns a descriptor that reports the signals in `set`. The signals must be blocked. On failure, returns
/// -1 and sets errno.
int clinux_open_signals(const sigset_t *set);

/// Returns the next pending signal; 0 if no signal is pending.
int clinux_read_signal(int descriptor);

#endif
