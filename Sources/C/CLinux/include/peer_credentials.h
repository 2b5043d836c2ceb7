/// Who is at the other end of a Unix socket. `struct ucred` and `statx` need _GNU_SOURCE, which Swift's Glibc
/// does not set.
#ifndef CLINUX_PEER_CREDENTIALS_H
#define CLINUX_PEER_CREDENTIALS_H

#include <stdint.h>
#include <sys/types.h>

struct clinux_peer_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

/// The credentials the peer had when it connected; -1 and errno on failure.
int clinux_read_peer_credentials(int connection, struct clinux_peer_credentials *credentials);

/// A pidfd of the process that connected, also where it has ended since; -1 and errno where the kernel has none
/// (ENOPROTOOPT before Linux 6.5).
int clinux_open_peer_pidfd(int connection);

struct clinux_file_identity {
    uint64_t device;
    uint64_t inode;
    /// Names it still has; 0 where it was removed.
    uint32_t links;
};

/// What is known here of the file behind `path`, links followed; -1 and errno on failure. No server of a file
/// system is asked: one that does not answer would stop who asks.
int clinux_identify_file(const char *path, struct clinux_file_identity *identity);

#endif
