/// SQLite, and typed wrappers for its variadic functions.
#ifndef CSQLITE_LIBRARY_H
#define CSQLITE_LIBRARY_H

#include <sqlite3.h>

/// Disables the memory statistics of SQLite. The statistics are not used, and acquire a global lock hundreds
/// of times per event. Has no effect after SQLite is initialized.
void csqlite_disable_memory_statistics(void);

#endif
