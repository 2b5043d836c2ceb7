internal import GRDB

extension Configuration {
    /// One connection that is small in memory and whose commits survive a kill.
    static func store(_ limits: Limits) -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(limits.busyTimeout)
        configuration.label = "store"
        configuration.prepareDatabase { database in
            // Before anything is written: it is a property of the file.
            try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
            guard mode == "wal" else {
                throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "no write-ahead log there")
            }
            try database.execute(sql: pragmas)
        }
        return configuration
    }

    /// wal_autocheckpoint: each checkpoint waits for the disk twice, so not at every 4 MiB.
    /// cell_size_check: damage is found before it is followed.
    /// secure_delete: Debian's default rewrites every freed page, which doubles what pruning writes.
    private static var pragmas: String {
        """
        PRAGMA synchronous = NORMAL;
        PRAGMA cache_size = -1024;
        PRAGMA mmap_size = 0;
        PRAGMA temp_store = MEMORY;
        PRAGMA wal_autocheckpoint = 2000;
        PRAGMA journal_size_limit = 8388608;
        PRAGMA secure_delete = FAST;
        PRAGMA cell_size_check = ON;
        PRAGMA recursive_triggers = OFF;
        PRAGMA analysis_limit = 400;
        """
    }
}
