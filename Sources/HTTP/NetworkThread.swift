import Glibc
import Synchronization
import Threads

/// The thread that waits for sockets, timers and jobs, and the serial executor of `Transport`.
/// It sleeps without a limit while nothing is due.
final class NetworkThread: SerialExecutor {
    let poller = Poller()
    private let inbox = Locked(Inbox())
    private let thread = Atomic<UInt>(0)
    /// Set once, before the thread starts; weak, so that a forgotten transport ends its thread.
    private nonisolated(unsafe) weak var transport: Transport?

    private enum Work {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private struct Inbox {
        var work: [Work] = []
        /// The thread looks into the inbox before it sleeps: no need to ring.
        var isAwake = true
        var isClosed = false

        /// Whether the thread must be woken for it.
        mutating func add(_ item: Work) -> Bool {
            work.append(item)
            let wasAsleep = !isAwake
            isAwake = true
            return wasAsleep
        }
    }

    func start(for transport: Transport) {
        self.transport = transport
        startThread(named: "cutied-http") { self.run() }
    }

    func stop() {
        inbox.withLock { $0.isClosed = true }
        poller.ring()
    }

    func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    /// Runs `call` on the thread, isolated to the transport, without a task of its own.
    func perform(_ call: @escaping @Sendable () -> Void) { add(.call(call)) }

    func checkIsolated() {
        precondition(isCurrent, "the transport was entered from another thread")
    }

    func isIsolatingCurrentContext() -> Bool? { isCurrent }

    private var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    private func add(_ work: Work) {
        if inbox.withLock({ $0.add(work) }) { poller.ring() }
    }
}

extension NetworkThread {
    private func run() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        var work: [Work] = []
        while true {
            empty(&work)
            let limit = transport.flatMap { $0.assumeIsolated { $0.timeUntilDue() } }
            guard let maySleep = prepareToSleep() else { return }
            let count = poller.wait(atMost: maySleep ? limit : .zero)
            inbox.withLock { $0.isAwake = true }
            transport?.assumeIsolated { $0.react(toReady: count) }
        }
    }

    /// Runs what is in the inbox, and what that adds. `work` is the array that is swapped with the inbox's.
    private func empty(_ work: inout [Work]) {
        while true {
            inbox.withLock { swap(&$0.work, &work) }
            if work.isEmpty { return }
            for item in work {
                switch item {
                case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
                case .call(let call): call()
                }
            }
            work.removeAll(keepingCapacity: true)
        }
    }

    /// Whether there is nothing left to do; nil when the thread is to end.
    private func prepareToSleep() -> Bool? {
        inbox.withLock {
            if $0.isClosed, $0.work.isEmpty { return nil }
            $0.isAwake = !$0.work.isEmpty
            return $0.work.isEmpty
        }
    }
}
