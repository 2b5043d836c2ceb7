/// Thread names, shown by `top -H` and in core files. pthread_setname_np needs _GNU_SOURCE, which Swift's
/// Glibc module does not set.
#ifndef CLINUX_THREAD_NAME_H
#define CLINUX_THREAD_NAME_H

/// Names the calling thread. `name` is truncated to 15 bytes.
void clinux_name_this_thread(const char *name);

#endif
