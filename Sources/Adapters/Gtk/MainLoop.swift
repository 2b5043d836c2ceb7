import CLinux
import Glibc
import Libadwaita
import Threads

/// GLib's main loop, as the executor of the main actor.
public enum MainLoop {
    /// Before the main actor is first used, on the main thread. The jobs run while the loop does, which is
    /// started by `Application.run`.
    public nonisolated static func becomeMainExecutor() {
        MainThread.shared.attach()
        clinux_set_main_executor(
            unsafeBitCast(MainThread.shared.asUnownedSerialExecutor(), to: clinux_executor.self))
    }
}

/// A source of the default main context whose events are the main actor's jobs.
nonisolated final class MainThread: SerialExecutor {
    static let shared = MainThread()

    private let thread = UInt(pthread_self())
    private let jobs = Locked<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = jobs.withLock { jobs in
            jobs.append(job)
            return jobs.count == 1
        }
        // The loop's own thread looks before it sleeps.
        if isFirst, !isOnThread { g_main_context_wakeup(nil) }
    }

    func checkIsolated() { precondition(isOnThread, "not on the main thread") }

    func isIsolatingCurrentContext() -> Bool? { isOnThread }

    private var isOnThread: Bool { UInt(pthread_self()) == thread }

    fileprivate var isReady: Bool { jobs.withLock { !$0.isEmpty } }

    /// Those that are there now: what comes of them waits for its turn, as events of the person do.
    fileprivate func runJobs() {
        for job in jobs.withLock({ exchange(&$0, with: []) }) {
            job.runSynchronously(on: asUnownedSerialExecutor())
        }
    }

    func attach() {
        let source = g_source_new(sourceFunctions.pointer, UInt32(MemoryLayout<GSource>.size))
        g_source_set_name(source, "main actor")
        g_source_attach(source, nil)
        g_source_unref(source)
    }
}

/// GLib keeps the address of the functions for as long as the source lives.
nonisolated private struct SourceFunctions: @unchecked Sendable {
    let pointer = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)

    init() {
        pointer.initialize(to: GSourceFuncs())
        pointer.pointee.prepare = { _, timeout in
            timeout?.pointee = -1
            return MainThread.shared.isReady ? 1 : 0
        }
        pointer.pointee.check = { _ in MainThread.shared.isReady ? 1 : 0 }
        pointer.pointee.dispatch = { _, _, _ in
            MainThread.shared.runJobs()
            return 1
        }
    }
}

nonisolated private let sourceFunctions = SourceFunctions()

nonisolated private func exchange<Value>(_ value: inout Value, with new: Value) -> Value {
    let old = value
    value = new
    return old
}
