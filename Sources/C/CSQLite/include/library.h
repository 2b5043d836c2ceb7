/// SQLite, with what it only takes by a variadic function.
#ifndef CSQLITE_LIBRARY_H
#define CSQLITE_LIBRARY_H

#include <sqlite3.h>

/// SQLite counts its memory behind one lock, hundreds of times an event, and nobody asks how much it is. Without
/// effect once SQLite is in use.
void csqlite_count_no_memory(void);

#endif
