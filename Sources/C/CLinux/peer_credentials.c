#define _GNU_SOURCE
#include "peer_credentials.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

// The constant is defined here, because the headers of Debian 12 are older than Linux 6.5, which added
// SO_PEERPIDFD.
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

int clinux_read_peer_credentials(int connection, struct clinux_peer_credentials *credentials) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return -1;
    credentials->pid = peer.pid;
    credentials->uid = peer.uid;
    credentials->gid = peer.gid;
    return 0;
}

int clinux_open_peer_pidfd(int connection) {
    int pidfd = -1;
    socklen_t length = sizeof pidfd;
    return getsockopt(connection, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &length) == 0 ? pidfd : -1;
}

int clinux_identify_file(const char *path, struct clinux_file_identity *identity) {
    struct statx status;
    if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_INO | STATX_NLINK, &status) != 0) return -1;
    identity->device = makedev(status.stx_dev_major, status.stx_dev_minor);
    identity->inode = status.stx_ino;
    identity->links = status.stx_nlink;
    return 0;
}
