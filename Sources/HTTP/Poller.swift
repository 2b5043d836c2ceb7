import CLinux
import Glibc

/// epoll, and an eventfd that ends a wait from another thread.
struct Poller: ~Copyable, Sendable {
    private static let capacity = 16
    private let epoll: Int32
    private let bell: Int32
    /// The one array of the loop's thread, so that a wake-up allocates nothing.
    private nonisolated(unsafe) let events: UnsafeMutablePointer<epoll_event>

    /// A socket that is ready, with the tag it was watched under.
    struct Ready {
        let tag: UInt32
        let socket: Int32
        let events: UInt32
    }

    init() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(epoll >= 0 && bell >= 0, "no file descriptor is left for the network thread")
        events = .allocate(capacity: Self.capacity)
        watch(bell, for: EPOLLIN.rawValue, tag: 0)
    }

    deinit {
        close(bell)
        close(epoll)
        events.deallocate()
    }

    /// Watches `socket` for `events`, instead of what it was watched for.
    func watch(_ socket: Int32, for events: UInt32, tag: UInt32) {
        var event = epoll_event()
        event.events = events
        event.data.u64 = UInt64(tag) << 32 | UInt64(UInt32(bitPattern: socket))
        if epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) != 0, errno == EEXIST {
            epoll_ctl(epoll, EPOLL_CTL_MOD, socket, &event)
        }
    }

    func forget(_ socket: Int32) {
        var unused = epoll_event()
        epoll_ctl(epoll, EPOLL_CTL_DEL, socket, &unused)
    }

    /// Ends the wait of now, or the next one.
    func ring() { eventfd_write(bell, 1) }

    /// Sleeps until a socket is ready, the bell rings or `limit` is over (nil: for ever); returns how many
    /// sockets `ready(at:)` can tell of.
    func wait(atMost limit: Duration?) -> Int {
        let count = epoll_wait(epoll, events, Int32(Self.capacity), limit?.roundedUpMilliseconds ?? -1)
        return max(0, Int(count))
    }

    /// Nil for the bell, which is silenced.
    func ready(at index: Int) -> Ready? {
        let event = events[index]
        let socket = Int32(bitPattern: UInt32(truncatingIfNeeded: event.data.u64))
        guard socket != bell else {
            var rings: eventfd_t = 0
            eventfd_read(bell, &rings)
            return nil
        }
        return Ready(tag: UInt32(event.data.u64 >> 32), socket: socket, events: event.events)
    }
}

extension Duration {
    /// Whole milliseconds, never early, at most what a C `int` holds.
    fileprivate var roundedUpMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    /// Whole milliseconds for libcurl, at least 1: to it 0 means "no limit".
    var curlMilliseconds: Int { max(1, Int(roundedUpMilliseconds)) }
}
