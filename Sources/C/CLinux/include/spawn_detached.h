/// Starts programs in their own session. POSIX_SPAWN_SETSID and addclosefrom need _GNU_SOURCE, which Swift's
/// Glibc module does not set; pidfd_open has no wrapper before glibc 2.36.
#ifndef CLINUX_SPAWN_DETACHED_H
#define CLINUX_SPAWN_DETACHED_H

#include <sys/types.h>

/// Starts `arguments[0]`, looked up in PATH, with default signal handlers, an empty signal mask, and no
/// descriptors except standard input, standard output and standard error. If `input` is -1, standard input is
/// empty. Standard output and standard error are `output`, or the caller's standard error if `output` is -1.
/// Returns 0 and sets `pid`, or returns an errno.
int clinux_spawn_detached(
    char *const arguments[], char *const environment[], int input, int output, pid_t *pid);

/// Returns a descriptor that becomes readable when the process exits; -1, with errno set, on failure.
int clinux_open_pidfd(pid_t pid);

#endif
