import CutieAPI
package import Log

/// A task that any number of callers await. A caller that is cancelled stops waiting, and the task goes on.
package final class SharedTask<Value> {
    private var result: Result<Value, any Error>?
    private let end = Signal()

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

/// Work with an effect at a server. Once begun, it runs to its end whether or not its caller still waits: the server may
/// have acted on the request already, and sending it again, or losing its answer, would do harm.
package final class UninterruptedWork {
    private let mutex: AsyncMutex?
    private var inFlight = 0
    private let ends = Signal()

    /// `isExclusive`: a piece of work waits until the former one has ended.
    package init(isExclusive: Bool = true) { mutex = isExclusive ? AsyncMutex() : nil }

    /// Runs `body` in a task of its own and returns its result. Throws `CancellationError` if the caller is cancelled:
    /// before `body` has begun it does not run, after that it goes on.
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

    /// Runs a call of a server, as `run` does.
    func runCall<Value>(
        _ body: @escaping () async throws(APIFailure) -> Value
    ) async throws(APIFailure) -> Value {
        do { return try await run { try await body() } } catch let failure as APIFailure {
            throw failure
        } catch {
            // `body` throws nothing else.
            throw .cancelled
        }
    }

    /// Returns when no work is in flight, and not later than after `limit`; also if the caller is cancelled, as all are
    /// when the daemon ends.
    package func finish(within limit: Duration, _ surroundings: Surroundings) async {
        guard inFlight > 0 else { return }
        await Task { [self] in
            _ = try? await surroundings.within(limit) { [self] in
                while inFlight > 0 { try await ends.wait(past: ends.count) }
            }
        }.value
    }
}

/// The work in flight of one account, by what must not run twice at once. It outlives the account's unit: a reload makes
/// another unit, which must not send what the former one is sending.
package final class AccountWork {
    let registration = UninterruptedWork()
    let attestation = UninterruptedWork()
    let session = UninterruptedWork()
    /// Exchanges of a code for tokens. Another sign-in does not wait for an answer to the former one.
    let exchanges = UninterruptedWork(isExclusive: false)
    let revocations = UninterruptedWork()

    /// Returns when none of it is in flight, as `UninterruptedWork.finish` does.
    func finish(within limit: Duration, _ surroundings: Surroundings) async {
        let end = surroundings.uptime + limit
        for work in [registration, attestation, session, exchanges, revocations] {
            await work.finish(within: max(.zero, end - surroundings.uptime), surroundings)
        }
    }
}

/// The `AccountWork` of each account.
package final class AccountWorks {
    private var works: [AccountID: AccountWork] = [:]

    func work(of account: AccountID) -> AccountWork {
        if let work = works[account] { return work }
        let work = AccountWork()
        works[account] = work
        return work
    }
}
