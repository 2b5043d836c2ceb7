/// The journal's side of libsystemd, whose sd_journal_sendv is a macro that Swift cannot call.
#ifndef CSYSTEMD_JOURNAL_H
#define CSYSTEMD_JOURNAL_H

#include <stddef.h>

/// Sends `count` fields `NAME=value`: the first ends in `bytes` at `ends[0]`, the second at `ends[1]`. Takes at
/// most 64. Returns 0 or a negative errno.
int csystemd_send_to_journal(const void *bytes, const size_t *ends, size_t count);

#endif
