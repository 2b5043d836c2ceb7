import CLinux
import Glibc
import Synchronization

/// The event loop: a thread that sleeps in epoll until a job is queued, a descriptor is ready or a deadline
/// passes. The loop uses no periodic timer. The loop replaces the thread pools of libdispatch, whose monitor
/// thread would wake the process once per second.
///
/// The loop runs all tasks of a program, the main actor (see `runProgram`), and C libraries that have their
/// own descriptors (see `LoopClient`). If the program does not call `runProgram`, as in tests, the loop
/// starts a separate thread on first use.
public final class EventLoop: TaskExecutor {
    public static let shared = EventLoop()

    private let poller = Poller()
    private let state = Locked(State())
    private let hasStarted = Atomic(false)
    private let thread = Atomic<UInt>(0)
    /// Whether `runProgram` was called. The value needs no lock, because it is written once, before the first
    /// job runs.
    private nonisolated(unsafe) var runsProgram = false

    private init() {}

    public func enqueue(_ job: consuming ExecutorJob) {
        addWork(.job(UnownedJob(job), of: nil))
        startIfNeeded()
    }

    /// Runs `body` on the thread of the loop, without a task.
    public func perform(_ body: @escaping @Sendable () -> Void) {
        addWork(.call(body))
        startIfNeeded()
    }

    func addWork(_ work: Work) {
        if state.withLock({ $0.addWork(work) }) { poller.wake() }
    }

    /// Whether the current thread is the thread of the loop.
    var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Makes the current thread the thread of the loop. Called once.
    private func adoptThread() { thread.store(UInt(pthread_self()), ordering: .relaxed) }

    func startIfNeeded() {
        guard claimThread() else { return }
        startThread(named: "events") { self.run() }
    }

    /// Returns `true` for the first caller, which must run the loop.
    private func claimThread() -> Bool {
        !hasStarted.load(ordering: .relaxed)
            && hasStarted.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
    }

    /// Runs `body` on the main actor, and the loop with all other tasks on the main thread. When `body`
    /// returns, the process exits with the returned code.
    public func runProgram(_ body: @escaping @MainActor @Sendable () async -> Int32) -> Never {
        precondition(claimThread(), "the event loop was used before the program began")
        MainThreadExecutor.becomeMainExecutor()
        becomeGlobalExecutor()
        runsProgram = true
        Task { @MainActor in exit(await body()) }
        run()
    }

    /// Makes the loop run all jobs that have neither an actor nor a preferred executor. Must be called before
    /// the first task starts, because libdispatch would otherwise run these jobs.
    public func becomeGlobalExecutor() {
        // Use a hook of the runtime instead of a task executor preference, because the runtime would look up
        // the preference at every `await`.
        clinux_set_global_enqueue { job in
            guard let job else { return }
            EventLoop.shared.addWork(.globalJob(unsafeBitCast(job, to: UnownedJob.self)))
            EventLoop.shared.startIfNeeded()
        }
    }

    /// Waits until `descriptor` is ready. Spurious wake-ups are possible. The descriptor must stay open
    /// during the wait.
    ///
    /// - Returns: `false` if `deadline` has passed; otherwise `true`.
    /// - Throws: `WaitFailure`, or `CancellationError` if the task is cancelled.
    public func wait(
        for interest: Interest, of descriptor: Int32, until deadline: ContinuousClock.Instant? = nil
    ) async throws -> Bool {
        try await suspendWaiter {
            Waiter(descriptor: descriptor, interest: interest, end: $0)
        } until: {
            deadline
        }
    }

    /// Waits until `deadline`. Throws `CancellationError` if the task is cancelled earlier.
    public func sleep(until deadline: ContinuousClock.Instant) async throws {
        _ = try await suspendWaiter {
            Waiter(descriptor: nil, interest: .readable, end: $0)
        } until: {
            deadline
        }
    }

    public func sleep(for duration: Duration) async throws {
        try await sleep(until: .now + duration)
    }

    /// Suspends the task until other jobs have run. `Task.yield` is not suitable: it bypasses the hooks of
    /// the runtime, so libdispatch would run the task.
    public func yield() async {
        await withCheckedContinuation { continuation in perform { continuation.resume() } }
    }

    /// Runs `body` and returns its result. If `body` exceeds `limit` or the task is cancelled, cancels
    /// `body`, waits for it to return, and returns `nil`.
    public func withTimeout<Value: Sendable, Failure: Error>(
        _ limit: Duration, _ body: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value? {
        let first = await withTaskGroup(of: Result<Value, Failure>?.self) { group in
            group.addTask {
                do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
            }
            group.addTask {
                try? await self.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        return try first?.get()
    }

    /// Calls `body` once, on the thread of the loop, when `descriptor` is readable. The descriptor must stay
    /// open until then.
    public func perform(whenReadable descriptor: Int32, _ body: @escaping @Sendable () -> Void) {
        let waiter = Waiter(descriptor: descriptor, interest: .readable) { _ in body() }
        addWaiter(waiter, id: state.withLock { $0.makeID() }, until: nil)
    }

    /// Calls `body` once, on the thread of the loop, after `duration`.
    public func perform(after duration: Duration, _ body: @escaping @Sendable () -> Void) {
        let waiter = Waiter(descriptor: nil, interest: .readable) { _ in body() }
        addWaiter(waiter, id: state.withLock { $0.makeID() }, until: .now + duration)
    }

    private func suspendWaiter(
        _ waiter: (@escaping @Sendable (Result<Bool, any Error>) -> Void) -> Waiter,
        until deadline: () -> ContinuousClock.Instant?
    ) async throws -> Bool {
        let id = state.withLock { $0.makeID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                addWaiter(waiter { continuation.resume(with: $0) }, id: id, until: deadline())
                // If the task was cancelled before `addWaiter`, the cancellation handler did not find the
                // waiter.
                if Task.isCancelled { cancelWaiter(id) }
            }
        } onCancel: {
            cancelWaiter(id)
        }
    }

    private func addWaiter(_ waiter: Waiter, id: UInt64, until deadline: ContinuousClock.Instant?) {
        let (failure, mustRing) = state.withLock { state -> (WaitFailure?, Bool) in
            state.addWaiter(waiter, id: id, until: deadline)
            do throws(WaitFailure) {
                if let descriptor = waiter.descriptor, let mask = state.eventMask(of: descriptor) {
                    try watch(descriptor, for: mask)
                }
            } catch {
                _ = state.removeWaiter(id)
                return (error, false)
            }
            // A deadline may be before the end of the current sleep, so wake the loop. A new descriptor needs
            // no wake-up, because it also takes effect during a running `epoll_wait`.
            return (nil, deadline != nil && state.claimWakeUp())
        }
        if let failure { waiter.end(.failure(failure)) }
        if mustRing { poller.wake() }
        startIfNeeded()
    }

    /// Changes the epoll mask of a descriptor. Registers the descriptor only if the change fails, because
    /// most descriptors stay registered until they are closed.
    private func watch(_ descriptor: Int32, for mask: UInt32) throws(WaitFailure) {
        do throws(WaitFailure) {
            try poller.change(descriptor, to: mask)
        } catch {
            guard error.code == ENOENT else { throw error }
            try poller.add(descriptor, for: mask)
        }
    }

    private func cancelWaiter(_ id: UInt64) {
        let waiter = state.withLock { $0.removeWaiter(id) }
        waiter?.end(.failure(CancellationError()))
    }

    /// Returns a new tag, which identifies the descriptors of one client. Tags are never reused.
    public func makeTag() -> UInt32 { state.withLock { UInt32(truncatingIfNeeded: $0.makeID()) } }

    /// Adds a client. Until `removeClient`, the loop notifies the client of its ready descriptors and
    /// deadlines.
    public func addClient(_ client: any LoopClient, as tag: UInt32) {
        state.withLock { $0.clients.append((tag, client)) }
    }

    public func removeClient(_ tag: UInt32) { state.withLock { $0.clients.removeAll { $0.tag == tag } } }

    /// Sets the epoll mask for a client's descriptor; `nil` stops watching the descriptor. Closing the
    /// descriptor has the same effect.
    public func watch(_ descriptor: Int32, for events: UInt32?, by tag: UInt32) {
        guard let events else { return poller.remove(descriptor) }
        do throws(WaitFailure) {
            try poller.add(descriptor, for: events, tag: tag)
        } catch {
            try? poller.change(descriptor, to: events, tag: tag)
        }
    }

    private static let maxRounds = 16

    /// Runs the loop on the current thread: handles ready descriptors, deadlines and jobs.
    private func run() -> Never {
        adoptThread()
        var work: [Work] = []
        while true {
            let clients = state.withLock { $0.clients }
            let due = clients.lazy.compactMap(\.client.due).min()
            let (limit, deadline) = prepareToSleep(atMost: due.map { max(.zero, $0 - .now) })
            let count = poller.wait(atMost: limit)
            state.withLock { $0.isAwake = true }
            for index in 0..<count { if let ready = poller.ready(at: index) { notifyClient(of: ready) } }
            // A deadline that passes during this iteration is handled in the next iteration, which then
            // starts immediately.
            if let due, due <= .now { handleTimeouts(clients.map(\.client)) }
            if let deadline, deadline <= .now { expireWaiters() }
            runAllWork(&work)
        }
    }

    private func handleTimeouts(_ clients: [any LoopClient]) {
        for client in clients { if let due = client.due, due <= .now { client.handleTimeout() } }
    }

    /// Returns how long to sleep, `nil` for no limit, and the earliest deadline of a waiter, `nil` if there is
    /// none. Limits a sleep with a deadline to one hour, because the timeout of epoll does not include time in
    /// suspend.
    private func prepareToSleep(
        atMost limit: Duration?
    ) -> (limit: Duration?, deadline: ContinuousClock.Instant?) {
        state.withLock { state in
            let deadline = state.deadlines.values.min()
            guard state.work.isEmpty else { return (.zero, deadline) }
            state.isAwake = false
            let untilDeadline = deadline.map { max(.zero, $0 - .now) }
            guard let wait = untilDeadline.map({ min($0, limit ?? $0) }) ?? limit else { return (nil, nil) }
            return (min(wait, .seconds(3600)), deadline)
        }
    }

    private func notifyClient(of ready: Poller.Ready) {
        guard ready.tag != Poller.untagged else { return resumeWaiters(for: ready) }
        // The client may have been removed after the descriptor became ready.
        state.withLock { $0.clients.first { $0.tag == ready.tag }?.client }?.handle(ready)
    }

    /// Runs the queued jobs, and the jobs that these jobs enqueue, in a limited number of rounds, so that
    /// descriptors and deadlines are not delayed. Swaps the queue with `work`, whose capacity is reused.
    private func runAllWork(_ work: inout [Work]) {
        for _ in 0..<Self.maxRounds {
            state.withLock { swap(&$0.work, &work) }
            if work.isEmpty { return }
            for piece in work { runWork(piece) }
            work.removeAll(keepingCapacity: true)
        }
    }

    /// Runs a piece of work. Informs the runtime which executor is current: the executor of the actor or,
    /// without an actor, the loop. A task on the same executor then continues without being enqueued again.
    private func runWork(_ piece: Work) {
        switch piece {
        case .job(let job, of: let executor?) where runsProgram: job.runSynchronously(on: executor)
        case .job(let job, of: let executor?):
            job.runSynchronously(isolatedTo: executor, taskExecutor: asUnownedTaskExecutor())
        case .job(let job, of: nil): job.runSynchronously(on: asUnownedTaskExecutor())
        case .globalJob(let job): clinux_run_global_job(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
        case .call(let body): body()
        }
    }

    private func resumeWaiters(for ready: Poller.Ready) {
        let woken = state.withLock { state in
            let ids = state.watched[ready.descriptor, default: []]
            let woken = ids.filter { ready.events & (state.waiters[$0]?.interest.wakingMask ?? 0) != 0 }
                .compactMap { state.removeWaiter($0) }
            // The change does not fail, because the remaining waiters keep the descriptor open and
            // registered.
            if let mask = state.eventMask(of: ready.descriptor) {
                try? poller.change(ready.descriptor, to: mask)
            }
            return woken
        }
        for waiter in woken { waiter.end(.success(true)) }
    }

    private func expireWaiters() {
        let late = state.withLock { state -> [Waiter] in
            let now = ContinuousClock.now
            guard state.deadlines.values.contains(where: { $0 <= now }) else { return [] }
            return state.deadlines.filter { $0.value <= now }.sorted { $0.value < $1.value }
                .compactMap { state.removeWaiter($0.key) }
        }
        for waiter in late { waiter.end(.success(false)) }
    }
}
