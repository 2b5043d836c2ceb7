import CLinux

/// A C library with descriptors and deadlines of its own, which the event loop drives. Called on the loop's
/// thread only.
public protocol LoopClient: AnyObject, Sendable {
    /// How long the loop may sleep; nil where nothing is due.
    func timeUntilDue() -> Duration?
    /// A descriptor that is watched with the client's tag is ready.
    func handle(_ ready: Poller.Ready)
    /// Something is due.
    func handleDue()
}

extension EventLoop {
    /// A name for the descriptors of one client; it is never used twice.
    public func newTag() -> UInt32 { state.withLock { UInt32(truncatingIfNeeded: $0.newID()) } }

    /// Drives `client` from now on, until `remove`.
    public func add(_ client: any LoopClient, as tag: UInt32) { state.withLock { $0.clients[tag] = client } }

    public func remove(_ tag: UInt32) { state.withLock { $0.clients[tag] = nil } }

    /// Watches `descriptor` for `events`, epoll's mask, until other ones are named; nil ends it. A descriptor
    /// that is closed ends it, too.
    public func watch(_ descriptor: Int32, for events: UInt32?, by tag: UInt32) {
        guard let events else { return poller.forget(descriptor) }
        do throws(WaitFailure) {
            try poller.add(descriptor, for: events, tag: tag)
        } catch {
            try? poller.change(descriptor, to: events, tag: tag)
        }
    }
}

/// The serial executor of actors that live on the loop's thread: between them and the main actor is no other
/// thread to wake.
public final class LoopThread: SerialExecutor {
    public static let shared = LoopThread()

    public func enqueue(_ job: consuming ExecutorJob) {
        EventLoop.shared.add(.job(UnownedJob(job), of: asUnownedSerialExecutor()))
        EventLoop.shared.startIfNobodyRunsIt()
    }

    public func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on the loop's thread")
    }

    public func isIsolatingCurrentContext() -> Bool? { EventLoop.shared.isCurrent }
}
