import CLinux
import Glibc
import Libadwaita
import Runtime

/// The integration of Swift concurrency with GLib's main loop.
public enum MainLoop {
    /// Installs GLib's main loop as the executor of the main actor, and `EventLoop` as the executor of all
    /// other tasks. The default executor, libdispatch, would wake the process once per second. Must be called
    /// on the main thread before the main actor is used. Main-actor jobs run only while `Application.run` is
    /// running.
    public nonisolated static func becomeMainExecutor() {
        GLibMainExecutor.shared.attachToMainContext()
        clinux_set_main_executor(
            unsafeBitCast(GLibMainExecutor.shared.asUnownedSerialExecutor(), to: clinux_executor.self))
        EventLoop.shared.becomeGlobalExecutor()
    }
}

/// The executor of the main actor: a source of GLib's default main context.
nonisolated final class GLibMainExecutor: SerialExecutor {
    static let shared = GLibMainExecutor()

    private let thread = UInt(pthread_self())
    private let jobs = Locked<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = jobs.withLock { jobs in
            jobs.append(job)
            return jobs.count == 1
        }
        // The main thread checks for jobs before it sleeps, so only other threads must wake the loop.
        if isFirst, !isOnThread { g_main_context_wakeup(nil) }
    }

    func checkIsolated() { precondition(isOnThread, "not on the main thread") }

    func isIsolatingCurrentContext() -> Bool? { isOnThread }

    private var isOnThread: Bool { UInt(pthread_self()) == thread }

    fileprivate var isReady: Bool { jobs.withLock { !$0.isEmpty } }

    /// Runs the jobs that are queued now. New jobs run in the next iteration of the loop, so that they do not
    /// delay user input.
    fileprivate func runJobs() {
        for job in jobs.withLock({ exchange(&$0, with: []) }) {
            job.runSynchronously(on: asUnownedSerialExecutor())
        }
    }

    func attachToMainContext() {
        let source = g_source_new(sourceFunctions.pointer, UInt32(MemoryLayout<GSource>.size))
        g_source_set_name(source, "main actor")
        g_source_attach(source, nil)
        g_source_unref(source)
    }
}

/// The callbacks of the GLib source. GLib stores the pointer, so the address must never change.
nonisolated private struct SourceFunctions: @unchecked Sendable {
    let pointer = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)

    init() {
        pointer.initialize(to: GSourceFuncs())
        pointer.pointee.prepare = { _, timeout in
            timeout?.pointee = -1
            return GLibMainExecutor.shared.isReady ? 1 : 0
        }
        pointer.pointee.check = { _ in GLibMainExecutor.shared.isReady ? 1 : 0 }
        pointer.pointee.dispatch = { _, _, _ in
            GLibMainExecutor.shared.runJobs()
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
