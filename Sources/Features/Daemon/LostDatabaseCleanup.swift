import Glibc
import Store

/// Cleans up after the database was deleted or replaced while this process had it open.
struct LostDatabaseCleanup {
    let store: MessageStore

    /// Closes the store and removes the write-ahead log of the deleted database; otherwise, the next daemon
    /// would apply the write-ahead log to the new database. Keeps a write-ahead log that belongs to the new
    /// database.
    func closeAndRemoveWAL() {
        let wal = store.path + "-wal"
        let isOurs = isOpenInThisProcess(wal)
        store.close()
        guard isOurs else { return }
        for file in [wal, store.path + "-shm"] { unlink(file) }
    }

    private func isOpenInThisProcess(_ path: String) -> Bool {
        var file = stat()
        guard stat(path, &file) == 0 else { return false }
        return (0..<getdtablesize()).contains { number in
            var opened = stat()
            return fstat(number, &opened) == 0 && opened.st_ino == file.st_ino && opened.st_dev == file.st_dev
        }
    }
}
