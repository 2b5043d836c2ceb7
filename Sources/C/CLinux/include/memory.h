/// glibc's heap and the loaded objects. Swift's Glibc module omits malloc.h and link.h.
#ifndef CLINUX_MEMORY_H
#define CLINUX_MEMORY_H

/// Uses one heap for all threads. Must be called before a thread starts.
void clinux_share_heap(void);

/// Returns free heap memory to the system.
void clinux_trim_heap(void);

/// Unmaps the pages of code and constants of the program and its libraries. They are mapped again from the
/// page cache when needed. Breakpoints of a debugger are lost.
void clinux_release_code(void);

#endif
