/// Heap functions of glibc. malloc.h is missing from Swift's Glibc module.
#ifndef CLINUX_MEMORY_H
#define CLINUX_MEMORY_H

/// Makes all threads share one malloc arena. Must be called before the first thread is started.
void clinux_share_heap(void);

/// Returns free heap memory to the kernel.
void clinux_trim_heap(void);

#endif
