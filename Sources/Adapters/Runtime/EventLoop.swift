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

    let poller = Poller()
    let state = Locked(State())
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
    private func useCurrentThread() { thread.store(UInt(pthread_self()), ordering: .relaxed) }

    func startIfNeeded() {
        guard reserveThread() else { return }
        startThread(named: "events") { self.run() }
    }

    /// Returns `true` for the first caller, which must run the loop.
    private func reserveThread() -> Bool {
        !hasStarted.load(ordering: .relaxed)
            && hasStarted.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
    }

    /// Runs `body` on the main actor, and runs the loop, with all other tasks, on the main thread. When
    /// `body` returns, the process exits with the returned code.
    public func runProgram(_ body: @escaping @MainActor @Sendable () async -> Int32) -> Never {
        precondition(reserveThread(), "the event loop was used before the program began")
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

    /// Suspends the task until other jobs have run. `Task.yield` is not suitable: it bypasses the hooks of
    /// the runtime, so libdispatch would run the task.
    public func yield() async {
        await withCheckedContinuation { continuation in perform { continuation.resume() } }
    }

    /// Returns a new tag, which identifies the descriptors of one client. Tags are never reused.
    public func makeTag() -> UInt32 { state.withLock { UInt32(truncatingIfNeeded: $0.waiters.makeID()) } }

    /// Adds a client. Until `removeClient`, the loop notifies the client of its ready descriptors and
    /// deadlines.
    public func addClient(_ client: any LoopClient, withTag tag: UInt32) {
        state.withLock { $0.clients.append((tag, client)) }
    }

    public func removeClient(withTag tag: UInt32) {
        state.withLock { $0.clients.removeAll { $0.tag == tag } }
    }

    /// Sets the epoll mask for a client's descriptor; `nil` stops watching the descriptor. Closing the
    /// descriptor has the same effect.
    public func watch(_ descriptor: Int32, for events: UInt32?, clientTag tag: UInt32) {
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
        useCurrentThread()
        var work: [Work] = []
        while true {
            let clients = state.withLock { $0.clients }
            let due = clients.lazy.compactMap(\.client.due).min()
            let (limit, deadline) = prepareToSleep(atMost: due.map { max(.zero, $0 - .now) })
            let count = poller.wait(atMost: limit)
            state.withLock { $0.isAwake = true }
            for index in 0..<count {
                if let ready = poller.readyDescriptor(at: index) { notifyClient(of: ready) }
            }
            // A deadline that passes during this iteration is handled in the next iteration, which then
            // starts immediately.
            if let due, due <= .now { handleTimeouts(clients.map(\.client)) }
            if let deadline, deadline <= .now { expireWaiters() }
            runQueuedWork(usingBuffer: &work)
        }
    }

    private func handleTimeouts(_ clients: [any LoopClient]) {
        for client in clients { if let due = client.due, due <= .now { client.handleTimeout() } }
    }

    /// Marks the loop as asleep unless work is queued. Returns the maximum duration of the sleep (`nil`
    /// for no limit) and the earliest deadline of a waiter
    /// (`nil` if there is no deadline). Limits a sleep with a deadline to one hour, because the timeout of
    /// epoll does not include time in suspend.
    private func prepareToSleep(
        atMost limit: Duration?
    ) -> (limit: Duration?, deadline: ContinuousClock.Instant?) {
        state.withLock { state in
            let deadline = state.waiters.deadlines.values.min()
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
        state.withLock { $0.clients.first { $0.tag == ready.tag }?.client }?.handleReadyDescriptor(ready)
    }

    /// Runs the queued jobs, and the jobs that these jobs enqueue, in a limited number of rounds, so that
    /// descriptors and deadlines are not delayed. Swaps the queue with `work`, whose capacity is reused.
    private func runQueuedWork(usingBuffer work: inout [Work]) {
        for _ in 0..<Self.maxRounds {
            state.withLock { swap(&$0.work, &work) }
            if work.isEmpty { return }
            for piece in work { runWork(piece) }
            work.removeAll(keepingCapacity: true)
        }
    }

    /// Runs a piece of work, and passes the current executor to the runtime: the executor of the actor or,
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
}

extension EventLoop {
    enum Work {
        /// A job of a task. `of` is the executor of the actor that the job is isolated to; `nil` if there is
        /// no actor.
        case job(UnownedJob, of: UnownedSerialExecutor?)
        /// A job that has neither an actor nor a preferred executor.
        case globalJob(UnownedJob)
        case call(@Sendable () -> Void)
    }

    struct State {
        var work: [Work] = []
        var waiters = Waiters()
        /// The clients and the tags of their descriptors.
        var clients: [(tag: UInt32, client: any LoopClient)] = []
        /// Whether the loop will check the queue before it sleeps again, so that adding work does not require
        /// a wake-up.
        var isAwake = false

        /// Adds work to the queue. Returns whether the caller must wake the loop.
        mutating func addWork(_ piece: Work) -> Bool {
            work.append(piece)
            return reserveWakeUp()
        }

        mutating func reserveWakeUp() -> Bool {
            defer { isAwake = true }
            return !isAwake
        }
    }
}
