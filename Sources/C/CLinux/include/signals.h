/// Signals as a descriptor. Swift's Glibc does not have this header.
#ifndef CLINUX_SIGNALS_H
#define CLINUX_SIGNALS_H

#include <signal.h>

/// A descriptor that tells of `set`, which must be blocked; -1 and errno where it cannot be had.
int clinux_open_signals(const sigset_t *set);

/// The next signal that came; 0 where there is none.
int clinux_read_signal(int descriptor);

#endif
