internal import CSQLite
import FoundationEssentials

/// An opened store, and the unusable database that it replaced.
public struct OpenedStore: Sendable {
    public let store: MessageStore
    /// The replaced database, which must be reported to the user; `nil` if the database was usable.
    public let setAside: SetAside?
}

/// An unusable database that was renamed.
public struct SetAside: Hashable, Sendable {
    public let path: String
    /// The reason, and what happened to the outbox, as a message.
    public let reason: String
}

extension MessageStore {
    /// Opens `cutied.db` in `directory`; creates both if necessary (modes 0600 and 0700). A database that is
    /// corrupt or from a newer version is renamed and replaced with a new one that contains the readable part
    /// of the outbox.
    public static func open(directory: String) throws(StoreError) -> OpenedStore {
        try open(directory: directory, limits: StoreLimits())
    }

    /// Checks an entire database after corruption was found during use, and replaces the database if it is
    /// corrupt. At startup, only small databases are checked, because checking a large database takes too
    /// long. The database must no longer be in use.
    public static func checkForDamage(directory: String) throws(StoreError) -> SetAside? {
        let opening = try open(
            directory: directory, limits: StoreLimits(checkedBytes: .max, checksIndex: true))
        opening.store.close()
        return opening.setAside
    }

    static func open(directory: String, limits: StoreLimits) throws(StoreError) -> OpenedStore {
        csqlite_count_no_memory()
        let files = StateFiles(directory: directory)
        do {
            try files.prepareFiles()
            let interrupted = try DatabaseReplacement(interruptedIn: files)
            try interrupted?.finishReplacement()
            try files.prepareFile(files.database)
            do {
                let store = try MessageStore(at: files.database, limits)
                return OpenedStore(store: store, setAside: interrupted?.setAside)
            } catch let verdict as UnusableDatabase {
                let replacement = DatabaseReplacement(of: files, verdict)
                let outbox = try replacement.buildReplacement(limits)
                try replacement.finishReplacement()
                let store = try MessageStore(at: files.database, limits)
                let reason = verdict.message(path: replacement.path) + outbox
                return OpenedStore(store: store, setAside: SetAside(path: replacement.path, reason: reason))
            }
        } catch {
            throw StoreError(error, path: files.database)
        }
    }

    /// - Throws: `UnusableDatabase` if the database at `path` is unusable.
    convenience init(at path: String, _ limits: StoreLimits) throws {
        do {
            let connection = try DatabaseConnection(storeAt: path, limits)
            // Close immediately after a failure: closing the last connection checkpoints the write-ahead log,
            // so that the renamed file is complete.
            do {
                try connection.withExclusiveAccess { try DatabaseSchema.prepare(connection, limits) }
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

/// The limits for opening a database; tests use small values.
struct StoreLimits: Sendable {
    /// The time to wait for another connection's lock, in seconds.
    var busyTimeout: Double = 2
    /// The maximum size, in bytes, of files that are checked for corruption at startup. Checking a file of
    /// this size takes about 5 ms.
    var checkedBytes = 4 << 20
    /// Whether to also compare the full-text index with the messages.
    var checksIndex = false
}

/// The reason why a database is unusable.
enum UnusableDatabase: Error {
    case damaged(String)
    case newer

    var logWord: String {
        switch self {
        case .damaged: "damaged"
        case .newer: "newer"
        }
    }

    func message(path: String) -> String {
        switch self {
        case .damaged(let detail):
            "the database was damaged (\(detail)) and is kept as \(path); a new one was created"
        case .newer:
            "the database is from a newer version of cutied and is kept as \(path); a new one was created"
        }
    }
}

extension DatabaseConnection {
    /// Creates a connection that uses little memory and whose commits are durable even if the process is
    /// killed.
    fileprivate convenience init(storeAt path: String, _ limits: StoreLimits) throws {
        try self.init(path: path, .writing, busyTimeout: limits.busyTimeout)
        // `auto_vacuum` must be set before the first write: SQLite stores the mode in the new database file.
        try execute("PRAGMA auto_vacuum = INCREMENTAL")
        guard try self["PRAGMA journal_mode = WAL"].fetchOne({ _ in }, { $0.readText() }) == "wal" else {
            throw SQLiteError(SQLITE_CANTOPEN, "write-ahead logging is not available")
        }
        try execute(Self.pragmas)
    }

    /// `wal_autocheckpoint`: each checkpoint waits for the disk twice, and writes each changed page once.
    /// With 1 000 000 messages, a burst of events changes many different pages, and a checkpoint every 8 MiB
    /// took as long as the work itself. `journal_size_limit`: about the size at which a checkpoint starts;
    /// with a smaller limit, the write-ahead log would be truncated and extended each time.
    /// `cell_size_check`: rejects a corrupt page when it is loaded, before SQLite uses its content.
    /// `secure_delete`: Debian's default overwrites every freed page, which doubles the writes of pruning.
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

    /// Creates the directory if necessary, and removes the permissions of other users.
    func prepareFiles() throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try restrictMode(of: directory, to: 0o700)
    }

    /// Creates a database file if necessary, and removes the permissions of other users.
    func prepareFile(_ file: String) throws {
        let manager = FileManager.default
        // SQLite creates the database with the umask of the process, and the -wal and -shm files with the
        // mode of the database. So the database must exist before SQLite opens it.
        if !manager.fileExists(atPath: file) {
            // If the creation fails, opening the database also fails, and reports the reason.
            _ = manager.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        if manager.fileExists(atPath: file) { try restrictMode(of: file, to: 0o600) }
    }

    /// Returns the path to which an unusable database is renamed: `cutied.db.<word>-<UTC time>`.
    func setAsidePath(for verdict: UnusableDatabase) -> String {
        unusedName("\(database).\(verdict.logWord)-\(Self.timestamp())")
    }

    /// Renames the database and its companion files to `path`, or to an unused similar name if `path` exists.
    func setAside(to path: String) throws {
        let manager = FileManager.default
        let target = manager.fileExists(atPath: database) ? unusedName(path) : path
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
    func removeFile(_ file: String) throws {
        let manager = FileManager.default
        for suffix in Self.suffixes where manager.fileExists(atPath: file + suffix) {
            try manager.removeItem(atPath: file + suffix)
        }
    }

    /// Includes the journal, because SQLite would apply an old rollback journal to the next database with the
    /// same name.
    private static let suffixes = ["-journal", "-wal", "-shm", ""]

    private func restrictMode(of path: String, to mode: Int) throws {
        let manager = FileManager.default
        let present = try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        if let present, present & 0o077 == 0 { return }
        try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func unusedName(_ name: String) -> String {
        let candidates = sequence(state: 1) { number -> String? in
            number += 1
            return "\(name)-\(number)"
        }
        guard FileManager.default.fileExists(atPath: name) else { return name }
        return candidates.first { !FileManager.default.fileExists(atPath: $0) } ?? name
    }

    private static func timestamp() -> String {
        let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        return String(Date().formatted(style).prefix { $0 != "Z" })
    }
}
