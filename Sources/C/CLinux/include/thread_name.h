/// Names the calling thread, so that it can be told apart in `top -H` and in a core file.
/// pthread_setname_np needs _GNU_SOURCE, which Swift's Glibc does not set.
#ifndef CLINUX_THREAD_NAME_H
#define CLINUX_THREAD_NAME_H

/// At most 15 bytes of `name` are kept.
void clinux_name_this_thread(const char *name);

#endif
