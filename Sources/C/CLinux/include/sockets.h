/// accept4 needs _GNU_SOURCE, which Swift's Glibc module does not set. With plain accept, a child process
/// that starts at the same time might inherit the connection.
#ifndef CLINUX_SOCKETS_H
#define CLINUX_SOCKETS_H

/// Accepts a connection, non-blocking and close-on-exec; returns -1 and errno on failure.
int clinux_accept(int listener);

#endif
