internal import GRDB

/// The database of one daemon: a gateway of typed rows. What they mean is decided elsewhere.
///
/// There is one connection. Calls are synchronous and must not be nested: a `write` or `read` inside
/// another one is a programmer's error and stops the program.
public final class Store: Sendable {
    /// Where the database file is.
    public let path: String
    let queue: DatabaseQueue
    private let statements: CompiledStatements
    /// Tells whoever waits that a call found the database damaged: it does not heal.
    public let damage: AsyncStream<StoreError>
    private let damaged: AsyncStream<StoreError>.Continuation

    init(path: String, queue: DatabaseQueue) throws {
        self.path = path
        self.queue = queue
        statements = try queue.inDatabase { try CompiledStatements(of: $0) }
        (damage, damaged) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Runs `body` in one immediate transaction: all of it happens, durably against a kill, or nothing.
    /// What `body` throws passes through; the database's own troubles are thrown as `StoreError`.
    @discardableResult
    public func write<T>(_ body: (Transaction) throws -> T) throws -> T {
        try onConnection { database in
            try inTransaction(Self.beginWrite, database) { try body(transaction(in: database)) }
        }
    }

    /// Runs `body` on one consistent state. A change made in it is undone and is an error.
    public func read<T>(_ body: (Transaction) throws -> T) throws -> T {
        // GRDB's own read sets PRAGMA query_only, and SQLite then compiles every statement again.
        try onConnection { database in
            let changes = database.totalChangesCount
            return try inTransaction(Self.beginRead, database) {
                let result = try body(transaction(in: database))
                guard database.totalChangesCount == changes else {
                    throw StoreError(.failed, path: path, detail: "a change within a read")
                }
                return result
            }
        }
    }

    /// Where the store was closed, SQLite would follow a pointer to nothing: not all of GRDB looks.
    private func onConnection<T>(_ body: (Database) throws -> T) throws -> T {
        try naming {
            try queue.writeWithoutTransaction { database in
                _ = try database.openConnection()
                return try body(database)
            }
        }
    }

    private func transaction(in database: Database) -> Transaction {
        Transaction(database: database, statements: statements)
    }

    private static let (beginWrite, beginRead) = ("BEGIN IMMEDIATE TRANSACTION", "BEGIN DEFERRED TRANSACTION")

    /// GRDB's own compiles BEGIN and COMMIT anew each time, a quarter of what a small transaction costs.
    private func inTransaction<T>(_ begin: String, _ database: Database, _ body: () throws -> T) throws -> T {
        try statements[begin].run([])
        do {
            let result = try body()
            // SQLite undoes it all by itself after some errors, which `body` may have survived.
            guard database.isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
            try statements["COMMIT TRANSACTION"].run([])
            return result
        } catch {
            try? database.rollback()
            throw error
        }
    }

    /// Gives back what the page cache holds: a burst fills it.
    public func releaseMemory() { queue.releaseMemory() }

    /// Folds the write-ahead log into the file and closes it; every later call throws. Also done by deinit.
    public func close() {
        queue.inDatabase { _ in statements.removeAll() }
        try? queue.close()
    }

    deinit { statements.removeAll() }

    /// Gives the database's errors their code and sentence; others pass.
    func naming<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError {
            let error = StoreError(error, path: path)
            if error.code == .damaged { damaged.yield(error) }
            throw error
        }
    }
}
