/// The identity of the peer of a Unix socket. The functions are written in C, because `struct ucred` and
/// `statx` require _GNU_SOURCE, which Swift's Glibc module does not define.
#ifndef CLINUX_PEER_CREDENTIALS_H
#define CLINUX_PEER_CREDENTIALS_H

#include <stdint.h>
#include <sys/types.h>

struct clinux_peer_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

/// Reads the credentials that the peer had when it connected. On failure, returns -1 and sets errno.
int clinux_read_peer_credentials(int connection, struct clinux_peer_credentials *credentials);

/// Returns a pidfd of the process that connected, even if that process has exited. On failure, returns -1 and
/// sets errno (ENOPROTOOPT before Linux 6.5).
int clinux_open_peer_pidfd(int connection);

struct clinux_file_identity {
    uint64_t device;
    uint64_t inode;
    /// The number of hard links; 0 if the file was deleted.
    uint32_t links;
};

/// Reads the attributes of the file at `path`. Follows symbolic links. On failure, returns -1 and sets errno.
/// Uses cached attributes, because a network file system that does not respond would block the caller.
int clinux_identify_file(const char *path, struct clinux_file_identity *identity);

#endif
