import Glibc
import Synchronization

/// One thread that sleeps in epoll until a job, a descriptor or a sleeper wants it: no timer runs unless
/// somebody sleeps, and nothing touches the pools of libdispatch, whose monitor wakes every second for ever
/// once a pool had a job.
///
/// It is the preferred executor of a program's tasks and drives the main actor (`runProgram`) and C libraries
/// that leave the waiting to others (`LoopClient`). Where no program runs it, as in tests, it starts a thread
/// of its own with its first use.
public final class EventLoop: TaskExecutor {
    public static let shared = EventLoop()

    let poller = Poller()
    let state = Locked(State())
    private let isRun = Atomic(false)
    private let thread = Atomic<UInt>(0)

    private init() {}

    public func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job), of: nil))
        startIfNobodyRunsIt()
    }

    /// Runs `body` on the loop's thread, without a task of its own.
    public func perform(_ body: @escaping @Sendable () -> Void) {
        add(.call(body))
        startIfNobodyRunsIt()
    }

    func add(_ work: Work) {
        if state.withLock({ $0.add(work) }) { poller.ring() }
    }

    /// Whether the caller is on the loop's thread.
    var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Called once, on the thread that runs it.
    func settle() { thread.store(UInt(pthread_self()), ordering: .relaxed) }

    func startIfNobodyRunsIt() {
        guard claim() else { return }
        startThread(named: "events") { self.run() }
    }

    /// True for the first, who has to run the loop.
    func claim() -> Bool {
        !isRun.load(ordering: .relaxed)
            && isRun.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
    }
}
