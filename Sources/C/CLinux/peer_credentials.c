#define _GNU_SOURCE
#include "peer_credentials.h"

#include <sys/socket.h>

int clinux_read_peer_credentials(int connection, struct clinux_peer_credentials *credentials) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return -1;
    credentials->pid = peer.pid;
    credentials->uid = peer.uid;
    credentials->gid = peer.gid;
    return 0;
}
