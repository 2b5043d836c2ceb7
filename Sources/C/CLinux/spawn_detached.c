#define _GNU_SOURCE
#include "spawn_detached.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

// Resets the signal handlers and the signal mask, because a child process inherits ignored and blocked
// signals.
static int set_signals(posix_spawnattr_t *attributes) {
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    int error = posix_spawnattr_setsigdefault(attributes, &all);
    if (error == 0)
        error = posix_spawnattr_setsigmask(attributes, &none);
    return error;
}

static int set_descriptors(posix_spawn_file_actions_t *actions, int input, int output) {
    int error = input < 0
        ? posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        : posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO);
    if (error == 0 && output >= 0)
        error = posix_spawn_file_actions_adddup2(actions, output, STDERR_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(actions, STDERR_FILENO, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
    return error;
}

int clinux_spawn_detached(
    char *const arguments[], char *const environment[], int input, int output, pid_t *pid) {
    posix_spawnattr_t attributes;
    int error = posix_spawnattr_init(&attributes);
    if (error != 0)
        return error;
    posix_spawn_file_actions_t actions;
    error = posix_spawn_file_actions_init(&actions);
    if (error == 0) {
        error = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
        if (error == 0)
            error = set_signals(&attributes);
        if (error == 0)
            error = set_descriptors(&actions, input, output);
        if (error == 0)
            error = posix_spawnp(pid, arguments[0], &actions, &attributes, arguments, environment);
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attributes);
    return error;
}

int clinux_open_pidfd(pid_t pid) {
    return (int)syscall(SYS_pidfd_open, pid, 0);
}
