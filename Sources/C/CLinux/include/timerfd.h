/// timerfd, whose header is missing from Swift's Glibc module.
#ifndef CLINUX_TIMERFD_H
#define CLINUX_TIMERFD_H

#include <sys/timerfd.h>

#endif
