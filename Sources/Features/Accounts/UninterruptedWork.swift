import CutieAPI
package import EventLog

/// A task with any number of waiting callers. Cancelling a caller ends its wait, but not the task.
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
    package func waitForValue() async throws -> Value {
        try await end.wait(past: 0)
        guard let result else { throw CancellationError() }
        return try result.get()
    }
}

/// Work that changes the state of a server. Once started, the work continues even if its caller is cancelled,
/// because the server may already have processed the request: the response must not be lost, and the request
/// must not be repeated.
package final class UninterruptedWork {
    private let mutex: AsyncMutex?
    private var inFlight = 0
    private let ends = ChangeSignal()

    /// `isExclusive`: whether work starts only after the previous work has ended.
    package init(isExclusive: Bool = true) { mutex = isExclusive ? AsyncMutex() : nil }

    /// Runs `body` in a separate task and returns its result. Throws `CancellationError` if the caller is
    /// cancelled. If `body` has not started by then, `body` does not run; otherwise, `body` continues.
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
        return try await task.waitForValue()
    }

    /// Runs `body` like `run`, but throws only `APIFailure`: a cancellation of the caller becomes
    /// `.cancelled`.
    func runAPICall<Value>(
        _ body: @escaping () async throws(APIFailure) -> Value
    ) async throws(APIFailure) -> Value {
        do { return try await run { try await body() } } catch let failure as APIFailure {
            throw failure
        } catch {
            // Any other error is a `CancellationError`, because `body` throws only `APIFailure`.
            throw .cancelled
        }
    }

    /// Waits until no work is in flight, for at most `limit`. Waits even if the caller is cancelled, because
    /// the daemon cancels all tasks before it exits.
    package func waitForCompletion(within limit: Duration, runtime: RuntimeEnvironment) async {
        guard inFlight > 0 else { return }
        await Task { [self] in
            _ = try? await runtime.withTimeout(limit) { [self] in
                while inFlight > 0 { try await ends.wait(past: ends.count) }
            }
        }.value
    }
}

/// The work in flight of one account, grouped by kind. This object outlives the account's unit: a reload
/// creates another unit, which must not repeat requests in flight.
package final class AccountTasks {
    let registration = UninterruptedWork()
    let attestation = UninterruptedWork()
    let session = UninterruptedWork()
    /// Exchanges of an authorization code for tokens. A new sign-in does not wait for the response to a
    /// previous exchange.
    let exchanges = UninterruptedWork(isExclusive: false)
    let revocations = UninterruptedWork()
    /// Requests that hand the account over or change the group of linked devices. These requests run
    /// concurrently, so that a request that hangs does not delay the next request.
    let linking = UninterruptedWork(isExclusive: false)

    /// Waits until no work is in flight, at most for `limit`. See `UninterruptedWork.waitForCompletion`.
    func waitForCompletion(within limit: Duration, runtime: RuntimeEnvironment) async {
        let end = runtime.uptime + limit
        for work in [registration, attestation, session, exchanges, revocations, linking] {
            await work.waitForCompletion(within: max(.zero, end - runtime.uptime), runtime: runtime)
        }
    }
}

/// The `AccountTasks` of each account.
package final class AccountTaskRegistry {
    private var taskRegistry: [AccountID: AccountTasks] = [:]

    func tasks(of account: AccountID) -> AccountTasks {
        if let work = taskRegistry[account] { return work }
        let work = AccountTasks()
        taskRegistry[account] = work
        return work
    }
}
