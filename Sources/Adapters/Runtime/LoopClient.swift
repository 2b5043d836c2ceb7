import CLinux
import Glibc

/// A C library that the event loop drives. The library has its own descriptors and deadlines. The loop
/// calls all functions of the client on the thread of the loop.
public protocol LoopClient: AnyObject, Sendable {
    /// The time at which the loop must call `handleTimeout`; `nil` if no call is due.
    var due: SuspendingClock.Instant? { get }
    /// Handles a ready descriptor of the client.
    func handleReadyDescriptor(_ ready: Poller.Ready)
    /// Handles a deadline. The loop calls this function when the time `due` is reached.
    func handleTimeout()
}

/// A serial executor that runs actors on the thread of the loop. Calls between these actors and the main
/// actor need no thread switch.
public final class LoopThread: SerialExecutor {
    public static let shared = LoopThread()

    public func enqueue(_ job: consuming ExecutorJob) {
        EventLoop.shared.addWork(.job(UnownedJob(job), of: asUnownedSerialExecutor()))
        EventLoop.shared.startIfNeeded()
    }

    public func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the loop's thread")
    }

    public func isIsolatingCurrentContext() -> Bool? { EventLoop.shared.isCurrent }
}

/// The executor of the main actor in a program that runs the event loop. This executor is cheaper than the
/// default executor (libdispatch's main queue), which would cost the loop a write, a read and a sleep for
/// each job.
final class MainThreadExecutor: SerialExecutor {
    private static let shared = MainThreadExecutor()

    /// Installs the executor. Must be called on the main thread before the main actor is first used.
    static func becomeMainExecutor() {
        clinux_set_main_executor(
            unsafeBitCast(shared.asUnownedSerialExecutor(), to: clinux_executor.self))
    }

    private let thread = UInt(pthread_self())

    func enqueue(_ job: consuming ExecutorJob) {
        EventLoop.shared.addWork(.job(UnownedJob(job), of: asUnownedSerialExecutor()))
    }

    func checkIsolated() { precondition(isIsolatingCurrentContext() == true, "not on the main thread") }

    func isIsolatingCurrentContext() -> Bool? { UInt(pthread_self()) == thread }
}
