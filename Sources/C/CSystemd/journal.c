#define SD_JOURNAL_SUPPRESS_LOCATION
#include "journal.h"

#include <sys/uio.h>
#include <systemd/sd-journal.h>

int csystemd_send_to_journal(const void *bytes, const size_t *ends, size_t count) {
    struct iovec fields[64];
    if (count > 64)
        count = 64;
    size_t start = 0;
    for (size_t index = 0; index < count; index++) {
        fields[index].iov_base = (char *)bytes + start;
        fields[index].iov_len = ends[index] - start;
        start = ends[index];
    }
    return sd_journal_sendv(fields, (int)count);
}
