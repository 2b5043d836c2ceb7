/// signalfd. Swift's Glibc module does not include this header.
#ifndef CLINUX_SIGNALS_H
#define CLINUX_SIGNALS_H

#include <signal.h>

/// Returns a descriptor that reports the signals in `set`, which must be blocked; -1, with errno set, on
/// failure.
int clinux_open_signals(const sigset_t *set);

/// Returns the next pending signal; 0 if none is pending.
int clinux_read_signal(int descriptor);

#endif
