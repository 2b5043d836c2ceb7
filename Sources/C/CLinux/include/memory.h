/// glibc's heap. Swift's Glibc module omits malloc.h.
#ifndef CLINUX_MEMORY_H
#define CLINUX_MEMORY_H

/// Uses one heap for all threads. Must be called before a thread starts.
void clinux_share_heap(void);

/// Returns free heap memory to the system.
void clinux_trim_heap(void);

#endif
