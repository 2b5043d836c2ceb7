#include "wal_writer.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// https://www.sqlite.org/fileformat2.html#the_write_ahead_log
enum { FRAME_HEAD = 24, COMMIT_AT = 4, COMMIT_SIZE = 4 };
// A single reply takes 12 frames with pages of 4 KiB.
enum { CAPACITY = 16 * (FRAME_HEAD + 4096) };

/// The log file from SQLite's point of view, followed in memory by the real file.
struct log {
    sqlite3_file base;
    unsigned char *bytes;  // buffered frames; the first begins with its header
    int count;
    sqlite3_int64 start;  // offset of the buffered frames in the file
    sqlite3_int64 end;    // end of the last write, buffered or not; -1 if unknown
    int is_commit;        // whether the last header ends a transaction
};

static sqlite3_vfs *real_vfs;

static sqlite3_file *file_of(struct log *log) { return (sqlite3_file *)(log + 1); }

// Writes to a file. A file size limit or a quota is not a disk error: the write fails as on a full disk.
static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    int code = file->pMethods->xWrite(file, bytes, count, offset);
    return code == SQLITE_IOERR_WRITE && (errno == EFBIG || errno == EDQUOT) ? SQLITE_FULL : code;
}

// Writes the buffered frames to the file. If the write fails, the frames stay in the buffer, because SQLite
// assumes that they were written and may read them.
static int flush(struct log *log) {
    if (log->count == 0) return SQLITE_OK;
    sqlite3_file *file = file_of(log);
    int code = write_file(file, log->bytes, log->count, log->start);
    if (code == SQLITE_OK) log->count = 0;
    return code;
}

static void forget(struct log *log) {
    log->count = 0;
    log->end = -1;
}

static int keep(struct log *log, const void *bytes, int count) {
    if (count > CAPACITY - log->count) {
        int code = flush(log);
        if (code != SQLITE_OK) return code;
    }
    if (log->count == 0) log->start = log->end;
    memcpy(log->bytes + log->count, bytes, count);
    log->count += count;
    log->end += count;
    return SQLITE_OK;
}

// Buffers a page, which ends its frame. The page of a commit frame also ends the transaction and flushes the
// buffer, because other connections read the file.
static int keep_page(struct log *log, const void *bytes, int count) {
    int code = keep(log, bytes, count);
    if (!log->is_commit) return code;
    if (code == SQLITE_OK) code = flush(log);
    // SQLite rolls back the transaction, so its frames must not be written later.
    if (code != SQLITE_OK) forget(log);
    return code;
}

static int write_through(struct log *log, const void *bytes, int count, sqlite3_int64 offset) {
    // If the next frame starts at or before the first buffered one, the transaction of the buffered frames
    // was rolled back. Check headers only: SQLite may write the page of a frame again in its old place.
    int begins_frame = count == FRAME_HEAD || offset == 0;
    if (log->count > 0 && begins_frame && offset <= log->start) forget(log);
    int code = flush(log);
    sqlite3_file *file = file_of(log);
    if (code == SQLITE_OK) code = write_file(file, bytes, count, offset);
    log->end = code == SQLITE_OK ? offset + count : -1;
    return code;
}

// Buffers only writes that continue the previous one. SQLite may rewrite a header elsewhere, after it wrote a
// page twice in a transaction; no page follows such a header, so buffering it would never end.
static int write_log(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
    struct log *log = (struct log *)base;
    static const unsigned char none[COMMIT_SIZE];
    if (offset != log->end) return write_through(log, bytes, count, offset);
    if (count == FRAME_HEAD) {
        log->is_commit = memcmp((const unsigned char *)bytes + COMMIT_AT, none, COMMIT_SIZE) != 0;
        return keep(log, bytes, count);
    }
    if (log->count > 0 && count <= CAPACITY / 2) return keep_page(log, bytes, count);
    return write_through(log, bytes, count, offset);
}

static int close_log(sqlite3_file *base) {
    struct log *log = (struct log *)base;
    flush(log);
    free(log->bytes);
    return file_of(log)->pMethods->xClose(file_of(log));
}

// All other operations on the file first flush the buffer.
#define FLUSHED(call)                                     \
    struct log *log = (struct log *)base;                 \
    sqlite3_file *file = file_of(log);                    \
    int code = flush(log);                                \
    return code == SQLITE_OK ? file->pMethods->call : code

static int read_log(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
    FLUSHED(xRead(file, bytes, count, offset));
}
static int truncate_log(sqlite3_file *base, sqlite3_int64 size) { FLUSHED(xTruncate(file, size)); }
static int sync_log(sqlite3_file *base, int flags) { FLUSHED(xSync(file, flags)); }
static int size_log(sqlite3_file *base, sqlite3_int64 *size) { FLUSHED(xFileSize(file, size)); }
static int control_log(sqlite3_file *base, int operation, void *argument) {
    FLUSHED(xFileControl(file, operation, argument));
}

// SQLite does not lock the log file. With version 1 of the methods, SQLite does not map it into memory
// either.
static int lock_log(sqlite3_file *base, int level) {
    (void)base, (void)level;
    return SQLITE_OK;
}
static int is_locked(sqlite3_file *base, int *answer) {
    (void)base;
    *answer = 0;
    return SQLITE_OK;
}
static int sector_size(sqlite3_file *base) {
    sqlite3_file *file = file_of((struct log *)base);
    return file->pMethods->xSectorSize(file);
}
static int characteristics(sqlite3_file *base) {
    sqlite3_file *file = file_of((struct log *)base);
    return file->pMethods->xDeviceCharacteristics(file);
}

static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = close_log,
    .xRead = read_log,
    .xWrite = write_log,
    .xTruncate = truncate_log,
    .xSync = sync_log,
    .xFileSize = size_log,
    .xLock = lock_log,
    .xUnlock = lock_log,
    .xCheckReservedLock = is_locked,
    .xFileControl = control_log,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
};

static int open_file(sqlite3_vfs *own, const char *name, sqlite3_file *base, int flags, int *given) {
    (void)own;
    if (!(flags & SQLITE_OPEN_WAL)) return real_vfs->xOpen(real_vfs, name, base, flags, given);
    struct log *log = (struct log *)base;
    *log = (struct log){.bytes = malloc(CAPACITY), .end = -1};
    if (log->bytes == NULL) return SQLITE_NOMEM;
    int code = real_vfs->xOpen(real_vfs, name, file_of(log), flags, given);
    // SQLite closes every file that has methods, even if opening failed.
    if (file_of(log)->pMethods != NULL) {
        log->base.pMethods = &methods;
    } else {
        free(log->bytes);
    }
    return code;
}

static sqlite3_vfs vfs;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void register_vfs(void) {
    real_vfs = sqlite3_vfs_find(NULL);
    if (real_vfs == NULL) return;
    vfs = *real_vfs;
    vfs.pNext = NULL;
    vfs.zName = "cutied";
    vfs.szOsFile += sizeof(struct log);
    vfs.xOpen = open_file;
    if (sqlite3_vfs_register(&vfs, 0) != SQLITE_OK) vfs.zName = NULL;
}

const char *csqlite_wal_writer(void) {
    pthread_once(&once, register_vfs);
    return vfs.zName;
}
