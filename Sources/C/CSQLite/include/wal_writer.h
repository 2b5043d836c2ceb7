/// The write-ahead log, written a transaction at a time.
#ifndef CSQLITE_WAL_WRITER_H
#define CSQLITE_WAL_WRITER_H

/// Name of a VFS whose files are those of the default one, but for the write-ahead log: SQLite writes the head and
/// the page of each frame by a call of their own, some thirty for a reply, and here they go out with the last frame of
/// their transaction. NULL where SQLite has no memory for it. Call it before a database is opened.
const char *csqlite_wal_writer(void);

#endif
