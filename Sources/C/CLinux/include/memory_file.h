/// A file without a name or a place on a disk. memfd_create needs _GNU_SOURCE, which Swift's Glibc does not set.
#ifndef CLINUX_MEMORY_FILE_H
#define CLINUX_MEMORY_FILE_H

/// A descriptor that programs started later do not get by themselves; -1 and errno on failure.
int clinux_open_memory_file(void);

#endif
