/// accept4, which needs _GNU_SOURCE; Swift's Glibc module does not set it. With accept, a child process that
/// is started at the same time could inherit the connection.
#ifndef CLINUX_SOCKETS_H
#define CLINUX_SOCKETS_H

/// Accepts a connection, non-blocking and close-on-exec. Returns -1, with errno set, on failure.
int clinux_accept(int listener);

#endif
