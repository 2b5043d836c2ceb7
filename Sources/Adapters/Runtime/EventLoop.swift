import CLinux
import Glibc
import Synchronization

/// A thread that sleeps in epoll until a job, a descriptor or a deadline is due. There is no periodic timer,
/// and the pools of libdispatch are never used: after their first job, a monitor thread wakes the process
/// once per second.
///
/// The loop runs all tasks of a program and drives the main actor (`runProgram`) and C libraries with their
/// own descriptors (`LoopClient`). If no program runs it, as in tests, it starts a thread with its first use.
public final class EventLoop: TaskExecutor {
    public static let shared = EventLoop()

    private let poller = Poller()
    private let state = Locked(State())
    private let isRun = Atomic(false)
    private let thread = Atomic<UInt>(0)
    /// Written before any other code runs.
    private nonisolated(unsafe) var runsProgram = false

    private init() {}

    public func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job), of: nil))
        startIfNeeded()
    }

    /// Runs `body` on the loop's thread without a task.
    public func perform(_ body: @escaping @Sendable () -> Void) {
        add(.call(body))
        startIfNeeded()
    }

    func add(_ work: Work) {
        if state.withLock({ $0.add(work) }) { poller.wake() }
    }

    /// Whether the current thread is the loop's thread.
    var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Called once, on the thread that runs the loop.
    private func adoptThread() { thread.store(UInt(pthread_self()), ordering: .relaxed) }

    func startIfNeeded() {
        guard claim() else { return }
        startThread(named: "events") { self.run() }
    }

    /// Returns true for the first caller, which must run the loop.
    private func claim() -> Bool {
        !isRun.load(ordering: .relaxed)
            && isRun.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
    }

    /// Runs `body` on the main actor and all tasks on this loop, on the main thread. The process exits with
    /// the code that `body` returns.
    public func runProgram(_ body: @escaping @MainActor @Sendable () async -> Int32) -> Never {
        precondition(claim(), "the event loop was used before the program began")
        MainThreadExecutor.becomeMainExecutor()
        takeGlobalJobs()
        runsProgram = true
        Task { @MainActor in exit(await body()) }
        run()
    }

    /// Makes this loop run all jobs that are not isolated to an actor and prefer no executor, until the
    /// process ends. Call this function before the first task starts. Otherwise, libdispatch would run the
    /// jobs.
    public func takeGlobalJobs() {
        // A task executor preference would be looked up at every `await`.
        clinux_take_global_jobs { job in
            guard let job else { return }
            EventLoop.shared.add(.globalJob(unsafeBitCast(job, to: UnownedJob.self)))
            EventLoop.shared.startIfNeeded()
        }
    }

    /// Waits until `descriptor` may be ready; spurious returns are possible. The descriptor must stay open.
    ///
    /// - Returns: false after `deadline`.
    /// - Throws: `WaitFailure`, or `CancellationError` if the task is cancelled.
    public func wait(
        for interest: Interest, of descriptor: Int32, until deadline: ContinuousClock.Instant? = nil
    ) async throws -> Bool {
        try await wait {
            Waiter(descriptor: descriptor, interest: interest, end: $0)
        } until: {
            deadline
        }
    }

    /// Throws `CancellationError` if the task is cancelled before `deadline`.
    public func sleep(until deadline: ContinuousClock.Instant) async throws {
        _ = try await wait {
            Waiter(descriptor: nil, interest: .readable, end: $0)
        } until: {
            deadline
        }
    }

    public func sleep(for duration: Duration) async throws {
        try await sleep(until: .now + duration)
    }

    /// Lets other jobs run first. `Task.yield` would enqueue the task on libdispatch, bypassing the runtime's
    /// hooks.
    public func yield() async {
        await withCheckedContinuation { continuation in perform { continuation.resume() } }
    }

    /// Runs `body` and returns its result; `nil` if it exceeds `limit` or the task is cancelled. In that case
    /// `body` is cancelled and awaited.
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

    /// Calls `body` once on the loop's thread when `descriptor` is readable. The descriptor must stay open
    /// until then.
    public func whenReadable(_ descriptor: Int32, _ body: @escaping @Sendable () -> Void) {
        let waiter = Waiter(descriptor: descriptor, interest: .readable) { _ in body() }
        add(waiter, state.withLock { $0.newID() }, until: nil)
    }

    /// Calls `body` once on the loop's thread after `duration`.
    public func after(_ duration: Duration, _ body: @escaping @Sendable () -> Void) {
        let waiter = Waiter(descriptor: nil, interest: .readable) { _ in body() }
        add(waiter, state.withLock { $0.newID() }, until: .now + duration)
    }

    private func wait(
        _ waiter: (@escaping @Sendable (Result<Bool, any Error>) -> Void) -> Waiter,
        until deadline: () -> ContinuousClock.Instant?
    ) async throws -> Bool {
        let id = state.withLock { $0.newID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(waiter { continuation.resume(with: $0) }, id, until: deadline())
                // A cancellation before `add` found no waiter to end.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func add(_ waiter: Waiter, _ id: UInt64, until deadline: ContinuousClock.Instant?) {
        let (failure, mustRing) = state.withLock { state -> (WaitFailure?, Bool) in
            state.add(waiter, id, until: deadline)
            do throws(WaitFailure) {
                if let descriptor = waiter.descriptor, let mask = state.mask(of: descriptor) {
                    try watch(descriptor, for: mask)
                }
            } catch {
                _ = state.remove(id)
                return (error, false)
            }
            // An earlier deadline restarts the sleep; epoll notices a new descriptor itself.
            return (nil, deadline != nil && state.wakes())
        }
        if let failure { waiter.end(.failure(failure)) }
        if mustRing { poller.wake() }
        startIfNeeded()
    }

    /// Most descriptors are already registered: epoll keeps them until they are closed.
    private func watch(_ descriptor: Int32, for mask: UInt32) throws(WaitFailure) {
        do throws(WaitFailure) {
            try poller.change(descriptor, to: mask)
        } catch {
            guard error.code == ENOENT else { throw error }
            try poller.add(descriptor, for: mask)
        }
    }

    private func cancel(_ id: UInt64) {
        let waiter = state.withLock { $0.remove(id) }
        waiter?.end(.failure(CancellationError()))
    }

    /// Returns a new tag for the descriptors of one client. Tags are never reused.
    public func newTag() -> UInt32 { state.withLock { UInt32(truncatingIfNeeded: $0.newID()) } }

    /// Drives `client` until `remove`.
    public func add(_ client: any LoopClient, as tag: UInt32) {
        state.withLock { $0.clients.append((tag, client)) }
    }

    public func remove(_ tag: UInt32) { state.withLock { $0.clients.removeAll { $0.tag == tag } } }

    /// Watches `descriptor` for `events`, a mask of epoll, until the next call. `nil` or closing the
    /// descriptor ends the watch.
    public func watch(_ descriptor: Int32, for events: UInt32?, by tag: UInt32) {
        guard let events else { return poller.remove(descriptor) }
        do throws(WaitFailure) {
            try poller.add(descriptor, for: events, tag: tag)
        } catch {
            try? poller.change(descriptor, to: events, tag: tag)
        }
    }

    private static let maxRounds = 16

    /// Runs the loop forever.
    private func run() -> Never {
        adoptThread()
        var work: [Work] = []
        while true {
            let clients = state.withLock { $0.clients }
            let due = clients.lazy.compactMap(\.client.due).min()
            let count = poller.wait(atMost: prepareToSleep(atMost: due.map { max(.zero, $0 - .now) }))
            state.withLock { $0.isAwake = true }
            for index in 0..<count { if let ready = poller.ready(at: index) { notifyClient(of: ready) } }
            // Work that becomes due during this round is handled in the next one, which follows immediately.
            if let due, due <= .now { handleDueClients(clients.map(\.client)) }
            expire()
            runAll(&work)
        }
    }

    private func handleDueClients(_ clients: [any LoopClient]) {
        for client in clients { if let due = client.due, due <= .now { client.handleDue() } }
    }

    /// Returns how long to sleep; `nil` means forever. At most an hour, because epoll does not count the time
    /// of a suspend.
    private func prepareToSleep(atMost limit: Duration?) -> Duration? {
        state.withLock { state in
            guard state.work.isEmpty else { return .zero }
            state.isAwake = false
            let untilDeadline = state.deadlines.values.min().map { max(.zero, $0 - .now) }
            guard let wait = untilDeadline.map({ min($0, limit ?? $0) }) ?? limit else { return nil }
            return min(wait, .seconds(3600))
        }
    }

    private func notifyClient(of ready: Poller.Ready) {
        guard ready.tag != Poller.untagged else { return wake(for: ready) }
        // The client may have been removed while this wait was ending.
        state.withLock { $0.clients.first { $0.tag == ready.tag }?.client }?.handle(ready)
    }

    /// Runs the queued jobs, and those that they enqueue, but with a bound: descriptors and deadlines must
    /// get their turn. `work` is swapped with the queue.
    private func runAll(_ work: inout [Work]) {
        for _ in 0..<Self.maxRounds {
            state.withLock { swap(&$0.work, &work) }
            if work.isEmpty { return }
            for piece in work { run(piece) }
            work.removeAll(keepingCapacity: true)
        }
    }

    /// A task continues without a hop if its current executor is already the one that it needs, so the
    /// runtime is given the actor's executor, or the loop for jobs without an actor.
    private func run(_ piece: Work) {
        switch piece {
        case .job(let job, of: let executor?) where runsProgram: job.runSynchronously(on: executor)
        case .job(let job, of: let executor?):
            job.runSynchronously(isolatedTo: executor, taskExecutor: asUnownedTaskExecutor())
        case .job(let job, of: nil): job.runSynchronously(on: asUnownedTaskExecutor())
        case .globalJob(let job): clinux_run_global_job(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
        case .call(let body): body()
        }
    }

    private func wake(for ready: Poller.Ready) {
        let woken = state.withLock { state in
            let ids = state.watched[ready.descriptor, default: []]
            let woken = ids.filter { ready.events & (state.waiters[$0]?.interest.wakingMask ?? 0) != 0 }
                .compactMap { state.remove($0) }
            // The waiters keep the descriptor open, so it is still registered.
            if let mask = state.mask(of: ready.descriptor) { try? poller.change(ready.descriptor, to: mask) }
            return woken
        }
        for waiter in woken { waiter.end(.success(true)) }
    }

    private func expire() {
        let late = state.withLock { state -> [Waiter] in
            let now = ContinuousClock.now
            guard state.deadlines.values.contains(where: { $0 <= now }) else { return [] }
            return state.deadlines.filter { $0.value <= now }.sorted { $0.value < $1.value }
                .compactMap { state.remove($0.key) }
        }
        for waiter in late { waiter.end(.success(false)) }
    }
}
