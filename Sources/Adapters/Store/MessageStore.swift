/// The database of the daemon, with typed rows. The rules for the content of the rows are in other modules.
///
/// The store has one connection, and opens another connection for each `runLongRead`. All other calls are
/// synchronous and must not be nested: a nested `write` or `read` is a programming error and terminates the
/// program.
public final class MessageStore: Sendable {
    public let path: String
    let connection: DatabaseConnection
    let longReads: LongReads
    /// The errors of calls that found the database corrupt, deleted or replaced. Retrying does not help.
    public let damage: AsyncStream<StoreError>
    private let damageContinuation: AsyncStream<StoreError>.Continuation

    init(path: String, connection: DatabaseConnection) {
        self.path = path
        self.connection = connection
        longReads = LongReads(path: path)
        (damage, damageContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Runs `body` in an immediate transaction, which is atomic, and durable even if the process is killed.
    ///
    /// - Throws: errors of `body`; `StoreError` for errors of the database.
    @discardableResult
    public func write<T>(_ body: (Transaction) throws -> T) throws -> T {
        try withConnection {
            try connection.runTransaction(.write) { try body(Transaction(connection: connection)) }
        }
    }

    /// Runs `body` on a consistent snapshot. If `body` changes data, the change is rolled back and an error
    /// is thrown.
    public func read<T>(_ body: (Transaction) throws -> T) throws -> T {
        // PRAGMA query_only would also detect changes, but makes SQLite recompile every statement.
        try withConnection {
            let changes = connection.allChanges
            return try connection.runTransaction(.read) {
                let result = try body(Transaction(connection: connection))
                guard connection.allChanges == changes else {
                    throw StoreError(.failed, path: path, detail: "a change within a read")
                }
                return result
            }
        }
    }

    /// Executes a statement outside of a transaction, because SQLite rejects some pragmas in a transaction.
    func execute(_ sql: String) throws { try withConnection { try connection.execute(sql) } }

    /// Throws if the database is closed, or if its file was deleted or replaced.
    func checkIsInPlace() throws { try withConnection {} }

    private func withConnection<T>(_ body: () throws -> T) throws -> T {
        try mappingErrors {
            try connection.withExclusiveAccess {
                try connection.checkIsOpen()
                guard !connection.isMoved(from: path) else {
                    throw StoreError(.moved, path: path, detail: "")
                }
                return try body()
            }
        }
    }

    /// Frees the page cache and checkpoints the write-ahead log. Call this function when the daemon is idle
    /// after many reads or writes, so that the next burst does not wait for a checkpoint.
    public func prepareForIdle() {
        // Pages that a reader still uses are checkpointed later.
        try? execute("PRAGMA wal_checkpoint(PASSIVE)")
        connection.releaseMemory()
    }

    /// Checkpoints the write-ahead log and closes the database. Later calls throw. `deinit` also closes the
    /// database.
    public func close() { connection.close() }

    /// Converts errors of the database to `StoreError`; rethrows other errors.
    func mappingErrors<T>(_ body: () throws -> T) throws -> T {
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
