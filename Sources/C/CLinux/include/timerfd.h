/// Timers as descriptors. Swift's Glibc module does not include this header.
#ifndef CLINUX_TIMERFD_H
#define CLINUX_TIMERFD_H

#include <sys/timerfd.h>

#endif
