import CLinux
import Glibc

/// An epoll instance with an eventfd, through which other threads can interrupt a wait.
public struct Poller: ~Copyable, Sendable {
    private static let capacity = 64
    /// The tag of descriptors that do not belong to a client.
    static let untagged: UInt32 = 0
    private let epoll: Descriptor
    private let wakeDescriptor: Descriptor
    /// The event buffer, allocated once, so that a wait does not allocate memory.
    private nonisolated(unsafe) let events: UnsafeMutablePointer<epoll_event>

    /// A ready descriptor and its tag.
    public struct Ready: Sendable {
        public let tag: UInt32
        public let descriptor: Int32
        /// The epoll mask of the events that occurred.
        public let events: UInt32
    }

    public init() {
        epoll = Descriptor(owning: epoll_create1(Int32(EPOLL_CLOEXEC)))
        wakeDescriptor = Descriptor(owning: eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)))
        precondition(
            epoll.number >= 0 && wakeDescriptor.number >= 0, "no file descriptor is left for an event loop")
        events = .allocate(capacity: Self.capacity)
        try? add(wakeDescriptor.number, for: EPOLLIN.rawValue)
    }

    deinit { events.deallocate() }

    /// Registers `descriptor` with the epoll mask `events`. Throws `EEXIST` if the descriptor is already
    /// registered.
    public func add(_ descriptor: Int32, for events: UInt32, tag: UInt32 = 0) throws(WaitFailure) {
        try controlEpoll(EPOLL_CTL_ADD, descriptor: descriptor, events: events, tag: tag)
    }

    /// Changes the epoll mask of a descriptor. Throws `ENOENT` if the descriptor is not registered.
    public func change(_ descriptor: Int32, to events: UInt32, tag: UInt32 = 0) throws(WaitFailure) {
        try controlEpoll(EPOLL_CTL_MOD, descriptor: descriptor, events: events, tag: tag)
    }

    public func remove(_ descriptor: Int32) {
        try? controlEpoll(EPOLL_CTL_DEL, descriptor: descriptor, events: 0, tag: 0)
    }

    private func controlEpoll(
        _ operation: Int32, descriptor: Int32, events: UInt32, tag: UInt32
    ) throws(WaitFailure) {
        var event = epoll_event()
        event.events = events
        event.data.u64 = UInt64(tag) << 32 | UInt64(UInt32(bitPattern: descriptor))
        guard epoll_ctl(epoll.number, operation, descriptor, &event) == 0 else {
            throw WaitFailure(code: errno)
        }
    }

    /// Interrupts the current wait, or makes the next wait return immediately.
    public func wake() { eventfd_write(wakeDescriptor.number, 1) }

    /// Waits until a descriptor is ready, `wake` is called, or `limit` has passed (`nil` for no limit).
    /// Returns the number of events to read with `readyDescriptor(at:)`.
    public func wait(atMost limit: Duration?) -> Int {
        let milliseconds = limit?.roundedUpMilliseconds ?? -1
        return max(0, Int(epoll_wait(epoll.number, events, Int32(Self.capacity), milliseconds)))
    }

    /// Returns the ready descriptor at `index`. If the descriptor is the eventfd, resets it and returns
    /// `nil`.
    public func readyDescriptor(at index: Int) -> Ready? {
        let event = events[index]
        let descriptor = Int32(bitPattern: UInt32(truncatingIfNeeded: event.data.u64))
        guard descriptor != wakeDescriptor.number else {
            var rings: eventfd_t = 0
            eventfd_read(wakeDescriptor.number, &rings)
            return nil
        }
        return Ready(tag: UInt32(event.data.u64 >> 32), descriptor: descriptor, events: event.events)
    }
}

/// The state of a descriptor that a task waits for.
public enum Interest: Sendable {
    case readable
    case writable
    /// Both directions of the connection are closed, by the peer or by `shutdown`.
    case hangUp

    var mask: UInt32 {
        switch self {
        case .readable: EPOLLIN.rawValue | EPOLLRDHUP.rawValue
        case .writable: EPOLLOUT.rawValue
        case .hangUp: 0
        }
    }

    var wakingMask: UInt32 { mask | EPOLLHUP.rawValue | EPOLLERR.rawValue }
}

/// The error if epoll cannot watch a descriptor, for example because the descriptor is closed.
public struct WaitFailure: Error, Hashable, CustomStringConvertible {
    /// The `errno` of the system call.
    public let code: Int32

    public var description: String { "cannot wait: \(String(cString: strerror(code)))" }
}

extension Duration {
    /// The duration in milliseconds, rounded up and limited to 0...1 000 000 000.
    public var roundedUpMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
