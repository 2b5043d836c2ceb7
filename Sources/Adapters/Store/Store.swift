/// The database of one daemon: a gateway of typed rows. What they mean is decided elsewhere.
///
/// There is one connection. Calls are synchronous and must not be nested: a `write` or `read` inside
/// another one is a programmer's error and stops the program.
public final class Store: Sendable {
    /// Where the database file is.
    public let path: String
    let connection: Connection
    /// The errors of calls that found the database damaged, deleted or replaced: waiting does not help.
    public let damage: AsyncStream<StoreError>
    private let damaged: AsyncStream<StoreError>.Continuation

    init(path: String, connection: Connection) {
        self.path = path
        self.connection = connection
        (damage, damaged) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Runs `body` in one immediate transaction: all of it happens, durably against a kill, or nothing.
    /// What `body` throws passes through; the database's own troubles are thrown as `StoreError`.
    @discardableResult
    public func write<T>(_ body: (Transaction) throws -> T) throws -> T {
        try onConnection {
            try connection.transaction(.write) { try body(Transaction(connection: connection)) }
        }
    }

    /// Runs `body` on one consistent state. A change made in it is undone and is an error.
    public func read<T>(_ body: (Transaction) throws -> T) throws -> T {
        // PRAGMA query_only would tell, too, and SQLite then compiles every statement again.
        try onConnection {
            let changes = connection.allChanges
            return try connection.transaction(.read) {
                let result = try body(Transaction(connection: connection))
                guard connection.allChanges == changes else {
                    throw StoreError(.failed, path: path, detail: "a change within a read")
                }
                return result
            }
        }
    }

    /// Outside of a transaction: some pragmas are refused in one.
    func execute(_ sql: String) throws { try onConnection { try connection.execute(sql) } }

    private func onConnection<T>(_ body: () throws -> T) throws -> T {
        try naming {
            try connection.exclusively {
                try connection.checkIsOpen()
                guard !connection.hasMoved(from: path) else {
                    throw StoreError(.moved, path: path, detail: "")
                }
                return try body()
            }
        }
    }

    /// For when much was read or written and nobody waits: gives back what the page cache holds, and folds the
    /// write-ahead log into the file, which else the next burst would wait for.
    public func settle() {
        // What cannot be folded now, as somebody reads it, is folded later.
        try? execute("PRAGMA wal_checkpoint(PASSIVE)")
        connection.releaseMemory()
    }

    /// Folds the write-ahead log into the file and closes it; every later call throws. Also done by deinit.
    public func close() { connection.close() }

    /// Gives the database's errors their code and sentence; others pass.
    private func naming<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as SQLiteError {
            let error = StoreError(error, path: path)
            if error.code == .damaged { damaged.yield(error) }
            throw error
        } catch let error as StoreError where error.code == .moved {
            damaged.yield(error)
            throw error
        }
    }
}
