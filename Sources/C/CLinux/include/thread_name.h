/// Thread names, which are visible in `top -H` and in core files. The function is written in C, because
/// pthread_setname_np requires _GNU_SOURCE, which Swift's Glibc module does not define.
#ifndef CLINUX_THREAD_NAME_H
#define CLINUX_THREAD_NAME_H

/// Sets the name of the calling thread. Truncates the name to 15 bytes.
void clinux_name_this_thread(const char *name);

#endif
