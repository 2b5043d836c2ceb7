import CutieAPI
package import EventLog

/// A task that any number of callers await. If a caller is cancelled, it stops waiting and the task
/// continues.
package final class SharedTask<Value> {
    private var result: Result<Value, any Error>?
    private let end = ChangeSignal()

    package init(_ body: @escaping () async throws -> Value) {
        Task {
            do { result = .success(try await body()) } catch { result = .failure(error) }
            end.notify()
        }
    }

    /// Returns the result. Throws `CancellationError` if the caller is cancelled before the task has ended.
    package func value() async throws -> Value {
        try await end.wait(past: 0)
        guard let result else { throw CancellationError() }
        return try result.get()
    }
}

/// Work with an effect on a server. Once started, it runs to its end whether or not its caller still waits:
/// the server may already have processed the request, and sending it again, or losing its answer, would do
/// harm.
package final class UninterruptedWork {
    private let mutex: AsyncMutex?
    private var inFlight = 0
    private let ends = ChangeSignal()

    /// `isExclusive`: work starts only after the previous work has ended.
    package init(isExclusive: Bool = true) { mutex = isExclusive ? AsyncMutex() : nil }

    /// Runs `body` in a task of its own and returns its result. Throws `CancellationError` if the caller is
    /// cancelled: before `body` has started, `body` does not run; after that, it continues.
    package func run<Value>(_ body: @escaping () async throws -> Value) async throws -> Value {
        try await mutex?.lock()
        if Task.isCancelled {
            mutex?.unlock()
            throw CancellationError()
        }
        inFlight += 1
        let task = SharedTask { [self] in
            defer {
                inFlight -= 1
                mutex?.unlock()
                ends.notify()
            }
            return try await body()
        }
        return try await task.value()
    }

    /// Runs a call of a server like `run`, with a typed error.
    func runCall<Value>(
        _ body: @escaping () async throws(APIFailure) -> Value
    ) async throws(APIFailure) -> Value {
        do { return try await run { try await body() } } catch let failure as APIFailure {
            throw failure
        } catch {
            // Unreachable except for a cancellation: `body` throws no other type.
            throw .cancelled
        }
    }

    /// Returns when no work is in flight, at the latest after `limit`. Also waits if the caller is cancelled,
    /// which happens when the daemon ends.
    package func finish(within limit: Duration, _ surroundings: RuntimeEnvironment) async {
        guard inFlight > 0 else { return }
        await Task { [self] in
            _ = try? await surroundings.withTimeout(limit) { [self] in
                while inFlight > 0 { try await ends.wait(past: ends.count) }
            }
        }.value
    }
}

/// The work in flight of one account, grouped by what must not run concurrently. It outlives the account's
/// unit: a reload creates another unit, which must not repeat a request in flight of the previous one.
package final class AccountTasks {
    let registration = UninterruptedWork()
    let attestation = UninterruptedWork()
    let session = UninterruptedWork()
    /// Exchanges of an authorization code for tokens. A new sign-in does not wait for the answer to a
    /// previous one.
    let exchanges = UninterruptedWork(isExclusive: false)
    let revocations = UninterruptedWork()
    /// Hand-overs of the account and changes of the group of linked devices. They run concurrently, so that a
    /// request that hangs does not delay the next one.
    let linking = UninterruptedWork(isExclusive: false)

    /// Waits until no work is in flight, at most `limit`. See `UninterruptedWork.finish`.
    func finish(within limit: Duration, _ surroundings: RuntimeEnvironment) async {
        let end = surroundings.uptime + limit
        for work in [registration, attestation, session, exchanges, revocations, linking] {
            await work.finish(within: max(.zero, end - surroundings.uptime), surroundings)
        }
    }
}

/// The `AccountTasks` of each account.
package final class AccountTaskRegistry {
    private var taskRegistry: [AccountID: AccountTasks] = [:]

    func work(of account: AccountID) -> AccountTasks {
        if let work = taskRegistry[account] { return work }
        let work = AccountTasks()
        taskRegistry[account] = work
        return work
    }
}
