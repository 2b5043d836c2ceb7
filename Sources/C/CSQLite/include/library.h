/// SQLite, with wrappers for its variadic functions.
#ifndef CSQLITE_LIBRARY_H
#define CSQLITE_LIBRARY_H

#include <sqlite3.h>

/// Turns off SQLite's memory statistics, which are not used and take a global lock hundreds of times per
/// event. Has no effect after SQLite was initialized.
void csqlite_count_no_memory(void);

#endif
