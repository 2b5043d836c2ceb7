import CLinux
import Glibc

/// A serial executor for actors whose calls block, such as a client of the keyring or the TPM. The thread
/// starts with the first job and exits when no jobs are left, so an idle daemon does not need the thread.
public final class BlockingThread: SerialExecutor {
    private struct State {
        var waiting: [UnownedJob] = []
        /// The `pthread_t` of the thread; 0 if no thread is running.
        var thread: UInt = 0
        var isRunning = false
    }

    private let name: String
    private let state = Locked(State())

    public init(name: String) { self.name = name }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = state.withLock {
            $0.waiting.append(job)
            return !exchange(&$0.isRunning, with: true)
        }
        if isFirst { startThread(named: name) { self.run() } }
    }

    public func checkIsolated() { precondition(isIsolatingCurrentContext() == true, "not on thread \(name)") }

    public func isIsolatingCurrentContext() -> Bool? {
        state.withLock { $0.thread == UInt(pthread_self()) }
    }

    private func run() {
        state.withLock { $0.thread = UInt(pthread_self()) }
        while let jobs = dequeueJobs() {
            for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
    }

    /// Removes and returns the pending jobs; `nil` if there are none. The thread then exits.
    private func dequeueJobs() -> [UnownedJob]? {
        state.withLock {
            guard $0.waiting.isEmpty else { return exchange(&$0.waiting, with: []) }
            $0.isRunning = false
            $0.thread = 0
            return nil
        }
    }
}

/// Runs `body` on a new thread with the given name, which is truncated to 15 bytes.
public func startThread(named name: String, _ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(name: name, body: body))
    let failure = pthread_create(&thread, nil, runThreadBody, start.toOpaque())
    precondition(failure == 0, "cannot create thread \(name): \(String(cString: strerror(failure)))")
    pthread_detach(thread)
}

private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
}

private func runThreadBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
    clinux_name_this_thread(start.name)
    start.body()
    return nil
}
