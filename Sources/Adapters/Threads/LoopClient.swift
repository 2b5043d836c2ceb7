import CLinux
import Glibc

/// A C library with descriptors and deadlines of its own, which the event loop drives. Called on the loop's
/// thread only.
public protocol LoopClient: AnyObject, Sendable {
    /// Until when the loop may sleep; nil where nothing is due.
    var due: SuspendingClock.Instant? { get }
    /// A descriptor that is watched with the client's tag is ready.
    func handle(_ ready: Poller.Ready)
    /// Something is due, as `due` said.
    func handleDue()
}

/// The serial executor of actors that live on the loop's thread: between them and the main actor is no other
/// thread to wake.
public final class LoopThread: SerialExecutor {
    public static let shared = LoopThread()

    public func enqueue(_ job: consuming ExecutorJob) {
        EventLoop.shared.add(.job(UnownedJob(job), of: asUnownedSerialExecutor()))
        EventLoop.shared.startIfNeeded()
    }

    public func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the loop's thread")
    }

    public func isIsolatingCurrentContext() -> Bool? { EventLoop.shared.isCurrent }
}

/// The main actor's executor in a program that runs the event loop. The runtime's own is libdispatch's main
/// queue: each job would cost a foreign loop a write, a read and a sleep.
final class MainThread: SerialExecutor {
    private static let shared = MainThread()

    /// Before the main actor is first used, on the main thread.
    static func becomeMainExecutor() {
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
