internal import CSQLite
import FoundationEssentials

/// An open store, and information about an unusable database that the store replaced.
public struct OpenedStore: Sendable {
    public let store: MessageStore
    /// The replaced database, which the daemon must report to the user; `nil` if no database was replaced.
    public let setAside: SetAsideDatabase?
}

/// An unusable database that was renamed.
public struct SetAsideDatabase: Hashable, Sendable {
    public let path: String
    /// A message that states why the database was unusable, and whether the unsent messages in its outbox
    /// were copied.
    public let reason: String
}

extension MessageStore {
    /// Opens `cutied.db` in `directory`. Creates the file (mode 0600) and the directory (mode 0700) if they
    /// do not exist. If the database is corrupt or from a newer version, renames it, and creates a new
    /// database with the readable items of its outbox.
    public static func open(directory: String) throws(StoreError) -> OpenedStore {
        try open(directory: directory, limits: StoreLimits())
    }

    /// Checks the whole database, and replaces it if it is corrupt. Called after a query found corruption.
    /// This check is necessary because the check at startup skips large databases. All connections to the
    /// database must be closed before the call.
    ///
    /// - Returns: the new path of the corrupt database, and the reason; `nil` if the database is intact.
    public static func replaceIfDamaged(directory: String) throws(StoreError) -> SetAsideDatabase? {
        let opening = try open(
            directory: directory, limits: StoreLimits(checkedBytes: .max, checksIndex: true))
        opening.store.close()
        return opening.setAside
    }

    static func open(directory: String, limits: StoreLimits) throws(StoreError) -> OpenedStore {
        csqlite_disable_memory_statistics()
        let files = StateFiles(directory: directory)
        do {
            try files.prepareFiles()
            let interrupted = try DatabaseReplacement(interruptedIn: files)
            try interrupted?.finishReplacement()
            try files.prepareDatabaseFile(at: files.database)
            do {
                let store = try MessageStore(at: files.database, limits: limits)
                return OpenedStore(store: store, setAside: interrupted?.setAside)
            } catch let verdict as UnusableDatabase {
                let replacement = DatabaseReplacement(of: files, verdict: verdict)
                let outbox = try replacement.buildReplacement(limits: limits)
                try replacement.finishReplacement()
                let store = try MessageStore(at: files.database, limits: limits)
                let reason = verdict.message(forDatabaseKeptAt: replacement.path) + outbox
                return OpenedStore(
                    store: store, setAside: SetAsideDatabase(path: replacement.path, reason: reason))
            }
        } catch {
            throw StoreError(error, path: files.database)
        }
    }

    /// Opens the database at `path`.
    ///
    /// - Throws: `UnusableDatabase` if the database is unusable.
    convenience init(at path: String, limits: StoreLimits) throws {
        do {
            let connection = try DatabaseConnection(storeAt: path, limits: limits)
            // If the schema cannot be prepared, close the connection immediately: closing the last connection
            // checkpoints the write-ahead log, so that the renamed file is complete.
            do {
                try connection.withExclusiveAccess {
                    try DatabaseSchema.checkAndMigrate(on: connection, limits: limits)
                }
            } catch {
                connection.close()
                throw error
            }
            self.init(path: path, connection: connection)
        } catch let error as SQLiteError where StoreError.Code(error) == .damaged {
            throw UnusableDatabase.damaged(error.message)
        }
    }
}

/// The limits for opening a database. Tests use smaller values.
struct StoreLimits: Sendable {
    /// The maximum time to wait for the lock of another connection, in seconds.
    var busyTimeout: Double = 2
    /// The maximum size of a database that is checked at startup, in bytes. The check of a database of this
    /// size takes about 5 ms.
    var checkedBytes = 4 << 20
    /// Whether the check also compares the full-text index with the messages.
    var checksIndex = false
}

enum UnusableDatabase: Error {
    case damaged(String)
    case newer

    var logWord: String {
        switch self {
        case .damaged: "damaged"
        case .newer: "newer"
        }
    }

    func message(forDatabaseKeptAt path: String) -> String {
        switch self {
        case .damaged(let detail):
            "the database was damaged (\(detail)) and is kept as \(path); a new one was created"
        case .newer:
            "the database is from a newer version of cutied and is kept as \(path); a new one was created"
        }
    }
}

extension DatabaseConnection {
    /// Opens a connection that uses little memory. Commits are durable even if the process is killed.
    fileprivate convenience init(storeAt path: String, limits: StoreLimits) throws {
        try self.init(path: path, access: .writing, busyTimeout: limits.busyTimeout)
        // Set `auto_vacuum` before the first write, because SQLite stores the mode when it creates the
        // database.
        try execute("PRAGMA auto_vacuum = INCREMENTAL")
        guard
            try self["PRAGMA journal_mode = WAL"].fetchOne(binding: { _ in }, decoding: { $0.readText() })
                == "wal"
        else {
            throw SQLiteError(SQLITE_CANTOPEN, "write-ahead logging is not available")
        }
        try execute(Self.pragmas)
    }

    /// The settings of a connection. The reasons for some of the values:
    /// - `wal_autocheckpoint`: a checkpoint waits for the disk twice, and writes each changed page once.
    ///   With 1 000 000 messages, a burst changes many different pages, and checkpoints after every 8 MiB
    ///   took as long as the work itself.
    /// - `journal_size_limit`: about the size at which a checkpoint starts. With a smaller limit, the
    ///   write-ahead log would be truncated and extended each time.
    /// - `cell_size_check`: detects a corrupt page when it is loaded, before SQLite uses its content.
    /// - `secure_delete`: the default in Debian is to overwrite every freed page, which doubles the writes
    ///   of pruning.
    private static var pragmas: String {
        """
        PRAGMA synchronous = NORMAL;
        PRAGMA cache_size = -1024;
        PRAGMA mmap_size = 0;
        PRAGMA temp_store = MEMORY;
        PRAGMA wal_autocheckpoint = 8000;
        PRAGMA journal_size_limit = 33554432;
        PRAGMA secure_delete = FAST;
        PRAGMA cell_size_check = ON;
        PRAGMA recursive_triggers = OFF;
        PRAGMA analysis_limit = 400;
        """
    }
}

/// The database file and its companion files in the state directory.
struct StateFiles {
    let directory: String
    var database: String { directory + "/cutied.db" }

    /// Creates the directory and the database file if they do not exist. Removes the permissions of other
    /// users.
    func prepareFiles() throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try restrictMode(of: directory, to: 0o700)
    }

    /// Creates a database file if it does not exist. Removes the permissions of other users.
    func prepareDatabaseFile(at file: String) throws {
        let manager = FileManager.default
        // Create the file before SQLite opens it: SQLite would use the umask of the process for the database,
        // and copies the mode of the database to the -wal and -shm files.
        if !manager.fileExists(atPath: file) {
            // Ignore an error: opening the database will fail, too, and report the reason.
            _ = manager.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        if manager.fileExists(atPath: file) { try restrictMode(of: file, to: 0o600) }
    }

    /// Returns the new path for an unusable database: `cutied.db.<word>-<UTC time>`.
    func makeSetAsidePath(for verdict: UnusableDatabase) -> String {
        unusedPath(basedOn: "\(database).\(verdict.logWord)-\(Self.currentTimestamp())")
    }

    /// Renames the database and its companion files to `path`, or to a similar unused name if `path` exists.
    func setDatabaseAside(to path: String) throws {
        let manager = FileManager.default
        let target = manager.fileExists(atPath: database) ? unusedPath(basedOn: path) : path
        for suffix in Self.suffixes where manager.fileExists(atPath: database + suffix) {
            try manager.moveItem(atPath: database + suffix, toPath: target + suffix)
        }
    }

    /// Returns the paths of the files whose names start with `cutied.db.`, such as replaced databases.
    func findRelatedFiles() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        return names.map { directory + "/" + $0 }.filter { $0.hasPrefix(database + ".") }
    }

    /// Removes a database and its companion files if they exist.
    func removeDatabase(at file: String) throws {
        let manager = FileManager.default
        for suffix in Self.suffixes where manager.fileExists(atPath: file + suffix) {
            try manager.removeItem(atPath: file + suffix)
        }
    }

    /// The suffixes of the database and its companion files, including the rollback journal, because SQLite
    /// would apply an old journal to a new database with the same name.
    private static let suffixes = ["-journal", "-wal", "-shm", ""]

    private func restrictMode(of path: String, to mode: Int) throws {
        let manager = FileManager.default
        let present = try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        if let present, present & 0o077 == 0 { return }
        try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func unusedPath(basedOn name: String) -> String {
        let candidates = sequence(state: 1) { number -> String? in
            number += 1
            return "\(name)-\(number)"
        }
        guard FileManager.default.fileExists(atPath: name) else { return name }
        return candidates.first { !FileManager.default.fileExists(atPath: $0) } ?? name
    }

    private static func currentTimestamp() -> String {
        let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        return String(Date().formatted(style).prefix { $0 != "Z" })
    }
}
