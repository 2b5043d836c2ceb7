import CNotify
import Glibc
import Runtime
import Synchronization

/// An executor that runs jobs on the thread of libnotify's main context. libnotify has one D-Bus proxy per
/// process, which delivers signals to the thread that created the proxy. The process therefore has only one
/// such thread, which never exits.
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

    /// Runs `call` on the GLib thread, after all previously enqueued work.
    func perform(_ call: @escaping @Sendable () -> Void) { enqueueWork(.call(call)) }

    /// Dispatches the pending D-Bus signals without blocking. Must be called on the GLib thread.
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
            for (place, work) in waiting.withLock({ exchange(&$0, with: []) }).enumerated() {
                // Process pending signals before each work item, because a signal may report that the server
                // exited or closed the notification. For the first item, `cnotify_loop_iterate` below has
                // already processed the signals.
                if place > 0 { dispatchPendingEvents() }
                switch work {
                case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
                case .call(let call): call()
                }
            }
            // Block only if no work is waiting: `dispatchPendingEvents` may have consumed the wake-up for
            // newly added work.
            cnotify_loop_iterate(loop.handle, waiting.withLock { $0.isEmpty })
        }
    }

    /// A GLib main context. `Sendable` because any thread may wake it.
    private struct Loop: @unchecked Sendable {
        let handle: OpaquePointer?
    }
}
