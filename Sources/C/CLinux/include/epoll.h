/// epoll and eventfd, whose headers are missing from Swift's Glibc module.
#ifndef CLINUX_EPOLL_H
#define CLINUX_EPOLL_H

#include <sys/epoll.h>
#include <sys/eventfd.h>

#endif
