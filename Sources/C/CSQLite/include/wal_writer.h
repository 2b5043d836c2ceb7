/// Writes the write-ahead log one transaction at a time.
#ifndef CSQLITE_WAL_WRITER_H
#define CSQLITE_WAL_WRITER_H

/// Returns the name of a VFS that is the default one, except for the write-ahead log. SQLite writes the
/// header and the page of each frame with separate calls, some thirty per reply. This VFS buffers them and
/// writes them with the last frame of the transaction. Returns NULL if SQLite is out of memory. Call this
/// function before opening a database.
const char *csqlite_wal_writer(void);

#endif
