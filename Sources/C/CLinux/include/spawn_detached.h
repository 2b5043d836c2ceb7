/// Functions that start programs in new sessions. The functions are written in C, because POSIX_SPAWN_SETSID
/// and addclosefrom require _GNU_SOURCE, which Swift's Glibc module does not define, and because glibc before
/// 2.36 has no wrapper for pidfd_open.
#ifndef CLINUX_SPAWN_DETACHED_H
#define CLINUX_SPAWN_DETACHED_H

#include <sys/types.h>

/// Starts `arguments[0]`, looked up in PATH. The program has default signal handlers, an empty signal mask,
/// and no descriptors except its standard streams. If `input` is -1, standard input is empty. If `output` is
/// -1, standard output and standard error go to the caller's standard error; otherwise, both go to `output`.
/// Returns 0 and sets `pid`, or returns an errno.
int clinux_spawn_detached(
    char *const arguments[], char *const environment[], int input, int output, pid_t *pid);

/// Returns a descriptor that becomes readable when the process exits. On failure, returns -1 and sets errno.
int clinux_open_pidfd(pid_t pid);

#endif
