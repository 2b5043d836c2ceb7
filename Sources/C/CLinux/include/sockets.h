/// accept4 needs _GNU_SOURCE, which Swift's Glibc does not set; with plain accept a child process
/// started in between would inherit the connection.
#ifndef CLINUX_SOCKETS_H
#define CLINUX_SOCKETS_H

/// A new connection, non-blocking and close-on-exec; -1 and errno where there is none.
int clinux_accept(int listener);

#endif
