internal import CSQLite
import Glibc

/// The database of the daemon, with typed rows. The rules for the content of the rows are in other modules.
///
/// The store has one connection, and opens another connection for each `runLongRead`. All other calls are
/// synchronous. A nested `write` or `read` is a programming error and terminates the program.
public final class MessageStore: Sendable {
    public let path: String
    let connection: DatabaseConnection
    let longReads: LongReadExecutor
    /// The errors that report a corrupt, deleted or replaced database. Retrying does not help.
    public let damage: AsyncStream<StoreError>
    private let damageContinuation: AsyncStream<StoreError>.Continuation

    init(path: String, connection: DatabaseConnection) {
        self.path = path
        self.connection = connection
        longReads = LongReadExecutor(path: path)
        (damage, damageContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Runs `body` in a write transaction. The transaction is atomic, and durable even if the process is
    /// killed.
    ///
    /// - Throws: errors of `body`; `StoreError` for errors of the database.
    @discardableResult
    public func write<T>(_ body: (Transaction) throws -> T) throws -> T {
        try withConnection {
            try connection.runTransaction(.write) { try body(Transaction(connection: connection)) }
        }
    }

    /// Runs `body` on a consistent snapshot. If `body` changes data, rolls back the change and throws.
    public func read<T>(_ body: (Transaction) throws -> T) throws -> T {
        // Compare the number of changes instead of using PRAGMA query_only, which makes SQLite recompile all
        // statements.
        try withConnection {
            let changes = connection.totalChanges
            return try connection.runTransaction(.read) {
                let result = try body(Transaction(connection: connection))
                guard connection.totalChanges == changes else {
                    throw StoreError(.failed, path: path, detail: "a change within a read")
                }
                return result
            }
        }
    }

    /// Executes a statement outside a transaction, as some pragmas require.
    func execute(_ sql: String) throws { try withConnection { try connection.execute(sql) } }

    /// Throws if the database is closed, or if its file was deleted or replaced.
    func requireFileInPlace() throws { try withConnection {} }

    private func withConnection<T>(_ body: () throws -> T) throws -> T {
        try withMappedErrors {
            try connection.withExclusiveAccess {
                try connection.requireOpen()
                guard !connection.isFileMissing(at: path) else {
                    throw StoreError(.moved, path: path, detail: "")
                }
                return try body()
            }
        }
    }

    /// Frees the page cache and checkpoints the write-ahead log. Called when the daemon becomes idle after
    /// many reads or writes, so that the next burst does not wait for a checkpoint.
    public func prepareForIdle() {
        // A passive checkpoint skips pages that a reader still uses. A later checkpoint writes them.
        try? execute("PRAGMA wal_checkpoint(PASSIVE)")
        connection.releaseMemory()
    }

    /// Checkpoints the write-ahead log and closes the database. Later calls throw. `deinit` also closes the
    /// database.
    public func close() { connection.close() }

    /// Runs `body` and converts database errors to `StoreError`. Rethrows other errors.
    func withMappedErrors<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as SQLiteError {
            let error = StoreError(error, path: path)
            if error.code == .damaged { damageContinuation.yield(error) }
            throw error
        } catch let error as StoreError where error.code == .moved {
            damageContinuation.yield(error)
            throw error
        }
    }
}

extension DatabaseConnection {
    /// Returns whether the open database file was deleted or replaced, so that `path` no longer refers to it.
    /// Writes to such a file would be lost.
    fileprivate func isFileMissing(at path: String) -> Bool {
        var hasMoved: CInt = 0
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK,
            hasMoved != 0
        else { return false }
        // Check the path again, because SQLite also reports a move if the directory is temporarily
        // unreadable.
        var status = stat()
        return stat(path, &status) == 0 || errno == ENOENT || errno == ENOTDIR
    }
}
