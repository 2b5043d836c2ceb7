import CLinux
import Glibc

/// epoll, and an eventfd that ends a wait from another thread.
public struct Poller: ~Copyable, Sendable {
    private static let capacity = 64
    private let epoll: Int32
    private let bell: Int32
    /// The one array of the loop's thread, so that a wake-up allocates nothing.
    private nonisolated(unsafe) let events: UnsafeMutablePointer<epoll_event>

    /// A descriptor that is ready, with the tag it was watched under.
    public struct Ready {
        public let tag: UInt32
        public let descriptor: Int32
        /// epoll's mask.
        public let events: UInt32
    }

    public init() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(epoll >= 0 && bell >= 0, "no file descriptor is left for an event loop")
        events = .allocate(capacity: Self.capacity)
        try? add(bell, for: EPOLLIN.rawValue)
    }

    deinit {
        close(bell)
        close(epoll)
        events.deallocate()
    }

    /// Watches `descriptor` for `events`, epoll's mask. Throws `EEXIST` where it is watched already.
    public func add(_ descriptor: Int32, for events: UInt32, tag: UInt32 = 0) throws(WaitFailure) {
        try control(EPOLL_CTL_ADD, descriptor, events, tag)
    }

    /// Watches it for other `events` from now on. Throws `ENOENT` where it is not watched.
    public func change(_ descriptor: Int32, to events: UInt32, tag: UInt32 = 0) throws(WaitFailure) {
        try control(EPOLL_CTL_MOD, descriptor, events, tag)
    }

    public func forget(_ descriptor: Int32) {
        try? control(EPOLL_CTL_DEL, descriptor, 0, 0)
    }

    private func control(
        _ operation: Int32, _ descriptor: Int32, _ events: UInt32, _ tag: UInt32
    ) throws(WaitFailure) {
        var event = epoll_event()
        event.events = events
        event.data.u64 = UInt64(tag) << 32 | UInt64(UInt32(bitPattern: descriptor))
        guard epoll_ctl(epoll, operation, descriptor, &event) == 0 else { throw WaitFailure(code: errno) }
    }

    /// Ends the wait of now, or the next one.
    public func ring() { eventfd_write(bell, 1) }

    /// Sleeps until a descriptor is ready, the bell rings or `limit` is over (nil: for ever); returns how many
    /// descriptors `ready(at:)` can tell of.
    public func wait(atMost limit: Duration?) -> Int {
        let count = epoll_wait(epoll, events, Int32(Self.capacity), limit?.roundedUpMilliseconds ?? -1)
        return max(0, Int(count))
    }

    /// Nil for the bell, which is silenced.
    public func ready(at index: Int) -> Ready? {
        let event = events[index]
        let descriptor = Int32(bitPattern: UInt32(truncatingIfNeeded: event.data.u64))
        guard descriptor != bell else {
            var rings: eventfd_t = 0
            eventfd_read(bell, &rings)
            return nil
        }
        return Ready(tag: UInt32(event.data.u64 >> 32), descriptor: descriptor, events: event.events)
    }
}
