/// An anonymous file. memfd_create needs _GNU_SOURCE, which Swift's Glibc module does not set.
#ifndef CLINUX_MEMORY_FILE_H
#define CLINUX_MEMORY_FILE_H

/// Creates an anonymous file. Returns a close-on-exec descriptor; -1, with errno set, on failure.
int clinux_open_memory_file(void);

#endif
