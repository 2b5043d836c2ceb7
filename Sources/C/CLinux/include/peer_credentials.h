/// Who is at the other end of a Unix socket. `struct ucred` needs _GNU_SOURCE, which Swift's Glibc does
/// not set.
#ifndef CLINUX_PEER_CREDENTIALS_H
#define CLINUX_PEER_CREDENTIALS_H

#include <sys/types.h>

struct clinux_peer_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

/// The credentials the peer had when it connected; -1 and errno on failure.
int clinux_read_peer_credentials(int connection, struct clinux_peer_credentials *credentials);

#endif
