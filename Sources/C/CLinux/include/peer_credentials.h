/// The peer of a Unix socket. `struct ucred` and `statx` need _GNU_SOURCE, which Swift's Glibc module does
/// not set.
#ifndef CLINUX_PEER_CREDENTIALS_H
#define CLINUX_PEER_CREDENTIALS_H

#include <stdint.h>
#include <sys/types.h>

struct clinux_peer_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

/// Reads the credentials that the peer had when it connected. Returns -1, with errno set, on failure.
int clinux_read_peer_credentials(int connection, struct clinux_peer_credentials *credentials);

/// Returns a pidfd of the process that connected, even if the process has exited. Returns -1, with errno set,
/// if the kernel returns no pidfd (ENOPROTOOPT before Linux 6.5).
int clinux_open_peer_pidfd(int connection);

struct clinux_file_identity {
    uint64_t device;
    uint64_t inode;
    /// The number of hard links; 0 if the file was deleted.
    uint32_t links;
};

/// Reads the cached attributes of the file at `path`, following symbolic links. Returns -1, with errno set,
/// on failure. Does not contact file servers, because a server that does not respond would block the caller.
int clinux_identify_file(const char *path, struct clinux_file_identity *identity);

#endif
