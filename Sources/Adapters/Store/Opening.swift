internal import CSQLite
import FoundationEssentials

/// An opened store, and what had to be put out of its way.
public struct Opening: Sendable {
    public let store: Store
    /// The former database, where it could not be used; for the person to know.
    public let setAside: SetAside?
}

/// A database that could not be used, kept under another name.
public struct SetAside: Hashable, Sendable {
    public let path: String
    /// Why, and what became of its outbox, as a sentence.
    public let reason: String
}

extension Store {
    /// Opens `cutied.db` in `directory`, both made where missing (0600 in 0700). A damaged database, or
    /// one that a newer version made, is renamed and a fresh one begun, with what can be read of its outbox.
    public static func open(directory: String) throws(StoreError) -> Opening {
        try open(directory: directory, limits: StoreLimits())
    }

    /// Reads the whole of a database that was found damaged while it was in use, and sets it aside where it is:
    /// an open takes no time to look so closely. To be called when nobody uses it any more.
    public static func examine(directory: String) throws(StoreError) -> SetAside? {
        let opening = try open(
            directory: directory, limits: StoreLimits(checkedBytes: .max, checksIndex: true))
        opening.store.close()
        return opening.setAside
    }

    static func open(directory: String, limits: StoreLimits) throws(StoreError) -> Opening {
        csqlite_count_no_memory()
        let files = StateFiles(directory: directory)
        do {
            try files.prepare()
            let interrupted = try Replacement(interruptedIn: files)
            try interrupted?.finish()
            try files.prepare(files.database)
            do {
                let store = try Store(at: files.database, limits)
                return Opening(store: store, setAside: interrupted?.setAside)
            } catch let verdict as Unusable {
                let replacement = Replacement(of: files, verdict)
                let outbox = try replacement.build(limits)
                try replacement.finish()
                let store = try Store(at: files.database, limits)
                let reason = verdict.sentence(path: replacement.path) + outbox
                return Opening(store: store, setAside: SetAside(path: replacement.path, reason: reason))
            }
        } catch {
            throw StoreError(error, path: files.database)
        }
    }

    /// Throws `Unusable` where the database at `path` cannot be used.
    convenience init(at path: String, _ limits: StoreLimits) throws {
        do {
            let connection = try Connection(storeAt: path, limits)
            // Closed at once on a failure: the last connection's close empties the write-ahead log into
            // the file, so that what is set aside is whole.
            do {
                try connection.exclusively { try Schema.prepare(connection, limits) }
            } catch {
                connection.close()
                throw error
            }
            self.init(path: path, connection: connection)
        } catch let error as SQLiteError where StoreError.Code(error) == .damaged {
            throw Unusable.damaged(error.message)
        }
    }
}

/// How much an open may cost and how long it waits for a lock. Tests make both small.
struct StoreLimits: Sendable {
    /// Seconds to wait for another connection's lock.
    var busyTimeout: Double = 2
    /// Files up to this size are read through for damage at each open: about 5 ms.
    var checkedBytes = 4 << 20
    /// Also whether the full-text index is that of the messages.
    var checksIndex = false
}

/// Why a database cannot be used as it is.
enum Unusable: Error {
    case damaged(String)
    case newer

    var word: String {
        switch self {
        case .damaged: "damaged"
        case .newer: "newer"
        }
    }

    func sentence(path: String) -> String {
        switch self {
        case .damaged(let detail):
            "the database was damaged (\(detail)) and is kept as \(path); a fresh one was begun"
        case .newer:
            "the database was made by a newer cutied and is kept as \(path); a fresh one was begun"
        }
    }
}

extension Connection {
    /// One that is small in memory and whose commits survive a kill.
    fileprivate convenience init(storeAt path: String, _ limits: StoreLimits) throws {
        try self.init(path: path, .writing, busyTimeout: limits.busyTimeout)
        // Before anything is written: it is a property of the file.
        try execute("PRAGMA auto_vacuum = INCREMENTAL")
        guard try self["PRAGMA journal_mode = WAL"].first({ _ in }, { $0.text() }) == "wal" else {
            throw SQLiteError(SQLITE_CANTOPEN, "no write-ahead log there")
        }
        try execute(Self.pragmas)
    }

    /// wal_autocheckpoint: each checkpoint waits for the disk twice, and for every page that was written since the
    /// one before, once. With 1 000 000 messages a burst writes other pages each time, and at every 8 MiB it waited
    /// as long as it worked.
    /// journal_size_limit: as much. A smaller one has the file cut off and made longer again each time.
    /// cell_size_check: damage is found before it is followed.
    /// secure_delete: Debian's default rewrites every freed page, which doubles what pruning writes.
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

/// The database file and its companions in the state directory.
struct StateFiles {
    let directory: String
    var database: String { directory + "/cutied.db" }

    /// Makes the directory where it is missing, and closes it to others.
    func prepare() throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try close(directory, to: 0o700)
    }

    /// The same for a database in it.
    func prepare(_ file: String) throws {
        let manager = FileManager.default
        // SQLite gives its -wal and -shm files the mode of the database, and that of a new database
        // the process's umask: so it must exist before SQLite sees it.
        if !manager.fileExists(atPath: file) {
            // Where this fails SQLite fails too, and says why.
            _ = manager.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        if manager.fileExists(atPath: file) { try close(file, to: 0o600) }
    }

    /// Where a database that cannot be used goes: `cutied.db.<word>-<UTC time>`.
    func place(for verdict: Unusable) -> String {
        unusedName("\(database).\(verdict.word)-\(Self.stamp())")
    }

    /// Puts the database with its companions at `path`, or beside it where something is there.
    func setAside(to path: String) throws {
        let manager = FileManager.default
        let target = manager.fileExists(atPath: database) ? unusedName(path) : path
        for suffix in Self.suffixes where manager.fileExists(atPath: database + suffix) {
            try manager.moveItem(atPath: database + suffix, toPath: target + suffix)
        }
    }

    /// The paths of what is called after the database.
    func derived() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        return names.map { directory + "/" + $0 }.filter { $0.hasPrefix(database + ".") }
    }

    /// A database with its companions, where they are there.
    func remove(_ file: String) throws {
        let manager = FileManager.default
        for suffix in Self.suffixes where manager.fileExists(atPath: file + suffix) {
            try manager.removeItem(atPath: file + suffix)
        }
    }

    /// A rollback journal that stayed behind would be applied to another database under that name.
    private static let suffixes = ["-journal", "-wal", "-shm", ""]

    private func close(_ path: String, to mode: Int) throws {
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

    private static func stamp() -> String {
        let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        return String(Date().formatted(style).prefix { $0 != "Z" })
    }
}
