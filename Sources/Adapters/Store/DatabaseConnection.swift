internal import CSQLite
import Glibc

/// A connection to a database file, with a cache of compiled statements. The connection is not
/// thread-safe: every function except `close` and `releaseMemory` must be called within
/// `withExclusiveAccess`.
final class DatabaseConnection: @unchecked Sendable {
    enum Access { case reading, writing }

    let handle: OpaquePointer
    private var isClosed = false
    private let statements: CompiledStatements
    /// The last sequence number that `MessageTable.reserveSequence` returned; `nil` if unknown. The number is
    /// unknown before the first call, after a rollback, and after a commit of another connection.
    var newestSequence: Int64?
    /// The value of `dataVersion` after the last committed write transaction of this connection; `nil` if
    /// unknown.
    private var committedVersion: UInt32?
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// Opens the database.
    ///
    /// - Parameter busyTimeout: the maximum time to wait for the lock of another connection, in seconds.
    init(path: String, access: Access, busyTimeout: Double = 0) throws(SQLiteError) {
        var opened: OpaquePointer?
        let mode =
            switch access {
            case .reading: SQLITE_OPEN_READONLY
            case .writing: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        // Disable SQLite's own mutex (NOMUTEX), because `withExclusiveAccess` serializes all calls.
        let code = sqlite3_open_v2(
            path, &opened, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let opened else {
            // Close the connection, because SQLite allocates it even if opening fails.
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

    /// Runs `body` while no other thread can use the connection. Terminates the program if calls are nested,
    /// because nested calls would deadlock.
    func withExclusiveAccess<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard pthread_mutex_lock(lock) == 0 else { preconditionFailure("a transaction within another one") }
        defer { pthread_mutex_unlock(lock) }
        return try body()
    }

    /// Closes the connection. If it is the last connection, SQLite also checkpoints the write-ahead log.
    /// Later calls throw.
    func close() { withExclusiveAccess(closeOnce) }

    private func closeOnce() {
        guard !isClosed else { return }
        isClosed = true
        statements.finalizeAll()
        sqlite3_close(handle)
    }

    /// Throws if the connection is closed, because SQLite would otherwise access a freed pointer.
    func requireOpen() throws(SQLiteError) {
        guard !isClosed else { throw SQLiteError(SQLITE_MISUSE, "it is closed") }
    }

    subscript(_ sql: String) -> CompiledStatement {
        get throws(SQLiteError) { try statements[sql] }
    }

    /// Executes one or more statements.
    func execute(_ sql: String) throws(SQLiteError) {
        try requireOpen()
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, of: handle) }
    }

    /// The number of rows that the last statement changed, without changes by triggers.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// The number of rows that this connection has changed since it was opened.
    var totalChanges: Int64 { sqlite3_total_changes64(handle) }

    /// The rowid of the last inserted row.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Frees the memory of the page cache.
    func releaseMemory() {
        withExclusiveAccess { if !isClosed { _ = sqlite3_db_release_memory(handle) } }
    }
}

// MARK: - Transactions

extension DatabaseConnection {
    /// Runs `body` in a transaction. Rolls the transaction back if `body` throws.
    func runTransaction<Result>(_ kind: TransactionKind, _ body: () throws -> Result) throws -> Result {
        try self[kind.rawValue].run { _ in }
        // Only a write transaction can compare the versions here, because a read transaction loads its
        // snapshot later.
        if kind == .write, committedVersion == nil || committedVersion != dataVersion { newestSequence = nil }
        do {
            let result = try body()
            // Fail if SQLite has rolled back the transaction because of an error that `body` caught.
            guard isInTransaction else { throw SQLiteError(SQLITE_ABORT) }
            try self["COMMIT"].run { _ in }
            if kind == .write { committedVersion = dataVersion }
            return result
        } catch {
            newestSequence = nil
            if isInTransaction { try? self["ROLLBACK"].run { _ in } }
            throw error
        }
    }

    /// A number that changes with each commit of this or another connection, as of the last time this
    /// connection acquired a lock; `nil` if unknown.
    private var dataVersion: UInt32? {
        var version: UInt32 = 0
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
        return code == SQLITE_OK ? version : nil
    }

    private var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}

enum TransactionKind: String {
    case read = "BEGIN DEFERRED"
    /// Acquires the write lock immediately. Upgrading a read lock later could fail, and the transaction would
    /// have to be restarted.
    case write = "BEGIN IMMEDIATE"
}

// MARK: - Errors

/// An error that SQLite returned, with its code and message.
struct SQLiteError: Error {
    /// The extended result code. See https://www.sqlite.org/rescode.html
    let code: CInt
    let message: String

    init(_ code: CInt, _ message: String? = nil) {
        self.code = code
        self.message = message ?? String(cString: sqlite3_errstr(code))
    }

    /// Creates an error from the last error of a connection. Must be called immediately after the failed
    /// call, because this initializer also reads `errno`: if a write exceeds a quota or a file size limit,
    /// SQLite reports an I/O error, and only `errno` shows that the user must free space, as for a full
    /// disk.
    init(_ code: CInt, of connection: OpaquePointer?) {
        // Use `errno`, because SQLite's own copy (`sqlite3_system_errno`) is not set when a commit fails.
        let isOutOfSpace = code & 0xFF == SQLITE_IOERR && [ENOSPC, EFBIG, EDQUOT].contains(errno)
        self.init(
            isOutOfSpace ? SQLITE_FULL : code, connection.flatMap(sqlite3_errmsg).map { String(cString: $0) })
    }

    /// The primary result code, which is the lowest 8 bits of `code`.
    var primaryCode: CInt { code & 0xFF }
}
