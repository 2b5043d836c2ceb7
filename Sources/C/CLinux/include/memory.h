/// glibc's heap, and what the linker loaded. Swift's Glibc does not have malloc.h and link.h.
#ifndef CLINUX_MEMORY_H
#define CLINUX_MEMORY_H

/// One heap for all threads; before the first of them starts.
void clinux_share_heap(void);

/// Gives the system what is free.
void clinux_trim_heap(void);

/// Unmaps the pages of code and constants, of the program and of its libraries. Who needs one again finds it in
/// the page cache. A debugger's breakpoints are in such pages, and are lost.
void clinux_release_code(void);

#endif
