/// The journal API of libsystemd. `sd_journal_sendv` is a macro, which Swift cannot call.
#ifndef CSYSTEMD_JOURNAL_H
#define CSYSTEMD_JOURNAL_H

#include <stddef.h>

/// Sends `count` fields of the form `NAME=value`. The first field ends in `bytes` at `ends[0]`, the second at
/// `ends[1]`, and so on. Ignores fields after the 64th. Returns 0 or a negative errno.
int csystemd_send_to_journal(const void *bytes, const size_t *ends, size_t count);

#endif
