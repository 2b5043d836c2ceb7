internal import CSQLite
import Glibc
internal import Runtime

extension MessageStore {
    /// Runs `body` on a consistent snapshot, with a separate connection and thread. Use this function for
    /// reads whose duration grows with the history, because such reads would otherwise delay all other
    /// calls. Only one long read runs at a time. A long read is interrupted if the task is cancelled.
    ///
    /// - Parameter cpuTimeLimit: the CPU time after which SQLite interrupts the read.
    /// - Throws: errors of `body`; `StoreError` for errors of the database, with the code `timedOut` after
    ///   the limit; `CancellationError`.
    public func runLongRead<T: Sendable>(
        cpuTimeLimit: Duration = .seconds(5), _ body: @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await runLongRead(limit: ReadLimit(cpuTimeLimit)) { transaction, _ in try body(transaction) }
    }

    /// Runs `body` like `runLongRead(cpuTimeLimit:_:)`. Passes the limit to `body`, which may extend it.
    func runLongRead<T: Sendable>(
        limit: ReadLimit, _ body: @Sendable (Transaction, ReadLimit) throws -> T
    ) async throws -> T {
        // Check first that the database file was not replaced, because a new connection would open the new
        // file.
        try requireFileInPlace()
        do {
            return try await longReads.run(limit: limit, body)
        } catch let error as SQLiteError where error.primaryCode == SQLITE_INTERRUPT {
            try Task.checkCancellation()
            throw StoreError(.timedOut, path: path, detail: error.message)
        } catch {
            return try withMappedErrors { throw error }
        }
    }
}

/// The executor of long reads, on a thread that exists only while a read runs.
///
/// Each read opens a new connection, so that an idle daemon uses no memory for connections. Opening a
/// connection takes less than a millisecond.
actor LongReadExecutor {
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let thread = BlockingThread(name: "long reads")
    private let path: String

    init(path: String) { self.path = path }

    func run<T: Sendable>(
        limit: ReadLimit, _ body: @Sendable (Transaction, ReadLimit) throws -> T
    ) throws -> T {
        try Task.checkCancellation()
        let connection = try DatabaseConnection(path: path, access: .reading, busyTimeout: 2)
        defer { connection.close() }
        return try connection.withExclusiveAccess {
            try connection.execute("PRAGMA cache_size = -4096; PRAGMA temp_store = FILE;")
            return try limit.enforce(on: connection) {
                try connection.runTransaction(.read) { try body(Transaction(connection: connection), limit) }
            }
        }
    }
}

/// The CPU time limit of a long read.
final class ReadLimit: Sendable {
    private let limit: Locked<Duration>

    init(_ limit: Duration) { self.limit = Locked(limit) }

    /// The number of SQLite instructions between two checks of the limit. This number of instructions takes
    /// about 0.1 ms.
    private static let interval: CInt = 2000

    /// Restarts the measurement: from now on, the current thread may use up to `limit` of CPU time.
    func restartTimer(limit: Duration) {
        let end = Self.now + limit
        self.limit.withLock { $0 = end }
    }

    /// The CPU time of the current thread.
    static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Runs `body`. SQLite interrupts a statement of `body` if the limit is exceeded or the task is
    /// cancelled.
    fileprivate func enforce<T>(on connection: DatabaseConnection, _ body: () throws -> T) rethrows -> T {
        restartTimer(limit: limit.withLock { $0 })
        return try withExtendedLifetime(self) {
            sqlite3_progress_handler(
                connection.handle, Self.interval,
                { context in
                    guard let context else { return 0 }
                    return Unmanaged<ReadLimit>.fromOpaque(context).takeUnretainedValue().isExceeded ? 1 : 0
                }, Unmanaged.passUnretained(self).toOpaque())
            defer { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
            return try body()
        }
    }

    private var isExceeded: Bool { Task.isCancelled || Self.now > limit.withLock { $0 } }
}
