import CLinux
import Glibc

/// The main actor's executor in a program that runs the event loop. The runtime's own is libdispatch's main
/// queue: each job would cost a foreign loop a write, a read and a sleep.
final class MainThread: SerialExecutor {
    private static let shared = MainThread()

    /// Before the main actor is first used, on the main thread.
    static func takeMainActor() {
        clinux_set_main_executor(
            unsafeBitCast(shared.asUnownedSerialExecutor(), to: clinux_executor.self))
    }

    private let thread = UInt(pthread_self())

    func enqueue(_ job: consuming ExecutorJob) {
        EventLoop.shared.add(.job(UnownedJob(job), of: asUnownedSerialExecutor()))
    }

    func checkIsolated() { precondition(isIsolatingCurrentContext() == true, "not on the main thread") }

    func isIsolatingCurrentContext() -> Bool? { UInt(pthread_self()) == thread }
}
