/// epoll and eventfd, which Swift's Glibc module does not include.
#ifndef CLINUX_EPOLL_H
#define CLINUX_EPOLL_H

#include <sys/epoll.h>
#include <sys/eventfd.h>

#endif
