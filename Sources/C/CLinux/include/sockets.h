/// A C wrapper for accept4, which requires _GNU_SOURCE (Swift's Glibc module does not define it). accept is
/// not sufficient, because a child process that is started at the same time could inherit the connection.
#ifndef CLINUX_SOCKETS_H
#define CLINUX_SOCKETS_H

/// Accepts a connection that is non-blocking and close-on-exec. On failure, returns -1 and sets errno.
int clinux_accept(int listener);

#endif
