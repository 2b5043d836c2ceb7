/// Memory files. The function is written in C, because memfd_create requires _GNU_SOURCE, which Swift's Glibc
/// module does not define.
#ifndef CLINUX_MEMORY_FILE_H
#define CLINUX_MEMORY_FILE_H

/// Creates a memory file. Returns a close-on-exec descriptor. On failure, returns -1 and sets errno.
int clinux_open_memory_file(void);

#endif
