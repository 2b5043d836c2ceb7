/// glibc's heap functions. Swift's Glibc module does not include malloc.h.
#ifndef CLINUX_MEMORY_H
#define CLINUX_MEMORY_H

/// Makes all threads share one heap. Must be called before the first thread is started.
void clinux_share_heap(void);

/// Returns free heap memory to the system.
void clinux_trim_heap(void);

#endif
