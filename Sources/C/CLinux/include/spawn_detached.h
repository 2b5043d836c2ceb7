/// Starts a program in a session of its own. POSIX_SPAWN_SETSID and addclosefrom need _GNU_SOURCE, which
/// Swift's Glibc module does not set; pidfd_open has no wrapper before glibc 2.36.
#ifndef CLINUX_SPAWN_DETACHED_H
#define CLINUX_SPAWN_DETACHED_H

#include <sys/types.h>

/// Starts `arguments[0]`, looked up in PATH, with default signal handlers, an empty signal mask, and no
/// descriptors except standard input, output and error. `input` of -1 is empty input; `output` of -1 is the
/// caller's standard error. Standard error also goes to `output`. Returns 0 and the pid, or an errno.
int clinux_spawn_detached(
    char *const arguments[], char *const environment[], int input, int output, pid_t *pid);

/// Returns a descriptor that becomes readable when the child ends; -1 and errno on failure.
int clinux_open_pidfd(pid_t pid);

#endif
