/// glibc's heap. Swift's Glibc does not have malloc.h.
#ifndef CLINUX_HEAP_H
#define CLINUX_HEAP_H

/// One heap for all threads; before the first of them starts.
void clinux_share_heap(void);

/// Gives the system what is free.
void clinux_trim_heap(void);

#endif
