import CNotify
import Glibc
import Runtime
import Synchronization

/// The thread that runs libnotify's main context, as an executor. libnotify has one proxy per process, which
/// delivers signals to the thread that created it, so there is only one such thread, for the lifetime of the
/// process.
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

    func enqueue(_ job: consuming ExecutorJob) { enqueueWork(.job(UnownedJob(job))) }

    /// Runs `call` on the thread, after all previous work.
    func perform(_ call: @escaping @Sendable () -> Void) { enqueueWork(.call(call)) }

    /// Processes the server's pending signals. Must be called on the thread.
    func dispatchPendingEvents() { cnotify_loop_iterate(loop.handle, false) }

    func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the notification thread")
    }

    func isIsolatingCurrentContext() -> Bool? {
        identity.load(ordering: .relaxed) == UInt(pthread_self())
    }

    private func enqueueWork(_ work: Work) {
        waiting.withLock { $0.append(work) }
        cnotify_loop_wake(loop.handle)
    }

    private func run() -> Never {
        identity.store(UInt(pthread_self()), ordering: .relaxed)
        cnotify_loop_enter(loop.handle)
        while true {
            for work in waiting.withLock({ exchange(&$0, with: []) }) {
                // Process pending signals first: the server may have exited, or may have closed the
                // notification.
                dispatchPendingEvents()
                switch work {
                case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
                case .call(let call): call()
                }
            }
            // Block only if no work was added: the dispatch above may have consumed its wake-up.
            cnotify_loop_iterate(loop.handle, waiting.withLock { $0.isEmpty })
        }
    }

    /// A main context. Sendable, because it may be woken from any thread.
    private struct Loop: @unchecked Sendable {
        let handle: OpaquePointer?
    }
}
