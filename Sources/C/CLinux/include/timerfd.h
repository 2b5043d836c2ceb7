/// Timers as descriptors. Swift's Glibc module omits this header.
#ifndef CLINUX_TIMERFD_H
#define CLINUX_TIMERFD_H

#include <sys/timerfd.h>

#endif
