internal import CSQLite
import Glibc

/// One connection to a database file, and the statements that were compiled on it. Its calls come one at a time:
/// all but `close` are to be made within `exclusively`.
final class Connection: @unchecked Sendable {
    enum Access { case reading, writing }

    let handle: OpaquePointer
    private var isClosed = false
    private let statements: CompiledStatements
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// `busyTimeout`: how many seconds it waits for the lock of another connection.
    init(path: String, _ access: Access, busyTimeout: Double = 0) throws(SQLiteError) {
        var opened: OpaquePointer?
        let mode =
            switch access {
            case .reading: SQLITE_OPEN_READONLY
            case .writing: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        // NOMUTEX: our own lock is held around each transaction.
        let code = sqlite3_open_v2(
            path, &opened, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, csqlite_wal_writer())
        guard code == SQLITE_OK, let opened else {
            // Also of what could not be opened there is something to give back.
            defer { sqlite3_close(opened) }
            throw SQLiteError(code, of: opened)
        }
        handle = opened
        statements = CompiledStatements(of: opened)
        sqlite3_busy_timeout(opened, CInt(busyTimeout * 1000))
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ERRORCHECK))
        pthread_mutex_init(lock, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        closeOnce()
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// Runs `body` while nobody else uses the connection. One within another would wait for itself: it stops the
    /// program.
    func exclusively<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard pthread_mutex_lock(lock) == 0 else { preconditionFailure("a transaction within another one") }
        defer { pthread_mutex_unlock(lock) }
        return try body()
    }

    /// Folds the write-ahead log into the file; every later call throws.
    func close() { exclusively(closeOnce) }

    private func closeOnce() {
        guard !isClosed else { return }
        isClosed = true
        statements.removeAll()
        sqlite3_close(handle)
    }

    /// Where it was closed SQLite would follow a pointer to nothing.
    func checkIsOpen() throws(SQLiteError) {
        guard !isClosed else { throw SQLiteError(SQLITE_MISUSE, "it is closed") }
    }

    subscript(_ sql: String) -> CompiledStatement {
        get throws(SQLiteError) { try statements[sql] }
    }

    /// Runs statements, of which there may be several, once.
    func execute(_ sql: String) throws(SQLiteError) {
        try checkIsOpen()
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, of: handle) }
    }

    /// How many rows the last statement changed, triggers not counted.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// How many rows were changed since it was opened.
    var allChanges: Int64 { sqlite3_total_changes64(handle) }

    /// The number of the row that was inserted last.
    var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Gives back what the page cache holds.
    func releaseMemory() {
        exclusively { if !isClosed { _ = sqlite3_db_release_memory(handle) } }
    }
}

extension Connection {
    /// Whether the file was deleted, or another one took its place. What is written to it then is lost.
    func hasMoved(from path: String) -> Bool {
        var hasMoved: CInt = 0
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK,
            hasMoved != 0
        else { return false }
        // SQLite says so too if the directory cannot be read for a while.
        var status = stat()
        return stat(path, &status) == 0 || errno == ENOENT || errno == ENOTDIR
    }
}

// MARK: - Transactions

extension Connection {
    /// All of `body` happens, or nothing.
    func transaction<Result>(_ kind: TransactionKind, _ body: () throws -> Result) throws -> Result {
        try self[kind.rawValue].run { _ in }
        do {
            let result = try body()
            // SQLite undoes it all by itself after some errors, which `body` may have survived.
            guard isInTransaction else { throw SQLiteError(SQLITE_ABORT) }
            try self["COMMIT"].run { _ in }
            return result
        } catch {
            if isInTransaction { try? self["ROLLBACK"].run { _ in } }
            throw error
        }
    }

    private var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}

enum TransactionKind: String {
    case read = "BEGIN DEFERRED"
    /// Takes the lock at once: one that began to read and is refused when it writes could only begin anew.
    case write = "BEGIN IMMEDIATE"
}

// MARK: - Errors

/// What SQLite says.
struct SQLiteError: Error {
    /// Extended, as in https://www.sqlite.org/rescode.html
    let code: CInt
    let message: String

    init(_ code: CInt, _ message: String? = nil) {
        self.code = code
        self.message = message ?? String(cString: sqlite3_errstr(code))
    }

    /// The last one of a connection.
    init(_ code: CInt, of connection: OpaquePointer?) {
        self.init(code, connection.flatMap(sqlite3_errmsg).map { String(cString: $0) })
    }

    /// What the extended code is a kind of.
    var primaryCode: CInt { code & 0xFF }
}
