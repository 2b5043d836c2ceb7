internal import CSQLite
import Glibc
internal import Runtime

extension MessageStore {
    /// Runs `body` on a consistent snapshot, on a connection and a thread of its own. Use this function for
    /// reads that take longer as the history grows: they delay neither writes nor other reads. Long reads run
    /// one after another. They end early if the task is cancelled.
    ///
    /// - Parameter limit: the processor time after which SQLite stops the read.
    /// - Throws: errors of `body`; `StoreError` for errors of the database, `timedOut` after the limit;
    ///   `CancellationError`.
    public func longRead<T: Sendable>(
        limit: Duration = .seconds(5), _ body: @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await longRead(limit: ReadLimit(limit)) { transaction, _ in try body(transaction) }
    }

    /// Runs `body` as `longRead(limit:_:)` does. `body` may extend the limit.
    func longRead<T: Sendable>(
        limit: ReadLimit, _ body: @Sendable (Transaction, ReadLimit) throws -> T
    ) async throws -> T {
        // A new connection would open the file that replaced a moved one.
        try checkIsInPlace()
        do {
            return try await longReads.run(limit, body)
        } catch let error as SQLiteError where error.primaryCode == SQLITE_INTERRUPT {
            try Task.checkCancellation()
            throw StoreError(.timedOut, path: path, detail: error.message)
        } catch {
            return try mappingErrors { throw error }
        }
    }
}

/// Runs long reads on a thread that exists only while one runs.
///
/// Each read opens its own connection, which takes less than a millisecond, so that an idle daemon uses no
/// memory for it.
actor LongReads {
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let thread = BlockingThread(name: "long reads")
    private let path: String

    init(path: String) { self.path = path }

    func run<T: Sendable>(
        _ limit: ReadLimit, _ body: @Sendable (Transaction, ReadLimit) throws -> T
    ) throws -> T {
        try Task.checkCancellation()
        let connection = try DatabaseConnection(path: path, .reading, busyTimeout: 2)
        defer { connection.close() }
        return try connection.exclusively {
            try connection.execute("PRAGMA cache_size = -4096; PRAGMA temp_store = FILE;")
            return try limit.guarding(connection) {
                try connection.transaction(.read) { try body(Transaction(connection: connection), limit) }
            }
        }
    }
}

/// The processor time that a long read may take.
final class ReadLimit: Sendable {
    private let limit: Locked<Duration>

    init(_ limit: Duration) { self.limit = Locked(limit) }

    /// The number of SQLite's instructions between two checks of the clock; about 0.1 ms.
    private static let interval: CInt = 2000

    /// Allows the current thread to use more time from now on.
    func restart(with limit: Duration) {
        let end = Self.now + limit
        self.limit.withLock { $0 = end }
    }

    /// The processor time of the current thread.
    static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Runs `body`, in which SQLite stops statements after the limit or when the task is cancelled.
    fileprivate func guarding<T>(_ connection: DatabaseConnection, _ body: () throws -> T) rethrows -> T {
        restart(with: limit.withLock { $0 })
        return try withExtendedLifetime(self) {
            sqlite3_progress_handler(
                connection.handle, Self.interval,
                { context in
                    guard let context else { return 0 }
                    return Unmanaged<ReadLimit>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
                }, Unmanaged.passUnretained(self).toOpaque())
            defer { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
            return try body()
        }
    }

    private var isOver: Bool { Task.isCancelled || Self.now > limit.withLock { $0 } }
}
