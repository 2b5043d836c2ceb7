/// Timers as descriptors. Swift's Glibc does not have this header.
#ifndef CLINUX_TIMERFD_H
#define CLINUX_TIMERFD_H

#include <sys/timerfd.h>

#endif
