import CNotify
import Glibc
import Synchronization
import Threads

/// The thread that owns libnotify's main context, as an executor. libnotify has one proxy a process, which
/// reports to the thread that made it: hence one such thread, which lives as long as the process.
final class GLibThread: SerialExecutor {
    static let shared = GLibThread()

    private enum Work {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private let loop = Loop(handle: cnotify_loop_new())
    private let waiting = Locked<[Work]>([])
    private let identity = Atomic<UInt>(0)

    private init() {
        startThread(named: "notify") { self.run() }
    }

    func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    /// Runs `call` on the thread, after what was asked before.
    func perform(_ call: @escaping @Sendable () -> Void) { add(.call(call)) }

    /// Hears what the server has told until now. On the thread only.
    func dispatchPending() { cnotify_loop_iterate(loop.handle, false) }

    func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the notification thread")
    }

    func isIsolatingCurrentContext() -> Bool? {
        identity.load(ordering: .relaxed) == UInt(pthread_self())
    }

    private func add(_ work: Work) {
        waiting.withLock { $0.append(work) }
        cnotify_loop_wake(loop.handle)
    }

    private func run() -> Never {
        identity.store(UInt(pthread_self()), ordering: .relaxed)
        cnotify_loop_enter(loop.handle)
        while true {
            for work in waiting.withLock({ exchange(&$0, with: []) }) {
                // What the server told before must be known first: it may have gone, or closed the pop-up.
                dispatchPending()
                switch work {
                case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
                case .call(let call): call()
                }
            }
            // The dispatch above may have taken the wake-up of what was asked meanwhile: it would wait for ever.
            cnotify_loop_iterate(loop.handle, waiting.withLock { $0.isEmpty })
        }
    }

    /// A context may be woken from any thread.
    private struct Loop: @unchecked Sendable {
        let handle: OpaquePointer?
    }
}
