#define _GNU_SOURCE
#include "sockets.h"

#include <stddef.h>
#include <sys/socket.h>

int clinux_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
