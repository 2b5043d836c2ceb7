/// epoll and eventfd. Swift's Glibc module omits these headers.
#ifndef CLINUX_EPOLL_H
#define CLINUX_EPOLL_H

#include <sys/epoll.h>
#include <sys/eventfd.h>

#endif
