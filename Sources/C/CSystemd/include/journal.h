/// The journal API of libsystemd. The function is written in C, because Swift cannot call the macro
/// `sd_journal_sendv`.
#ifndef CSYSTEMD_JOURNAL_H
#define CSYSTEMD_JOURNAL_H

#include <stddef.h>

/// Sends `count` fields of the form `NAME=value`, which are stored consecutively in `bytes`. `ends[i]` is the
/// end of field `i` in `bytes`. Ignores all fields after the first 64. Returns 0 or a negative errno.
int csystemd_send_to_journal(const void *bytes, const size_t *ends, size_t count);

#endif
