import CLinux
import Glibc

/// epoll, and an eventfd that ends a wait from another thread.
struct Poller: ~Copyable, Sendable {
    private let epoll: Int32
    private let bell: Int32

    init() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(epoll >= 0 && bell >= 0, "no file descriptor is left for the event loop")
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: bell))
        epoll_ctl(epoll, EPOLL_CTL_ADD, bell, &event)
    }

    deinit {
        close(bell)
        close(epoll)
    }

    /// Ends the wait of now, or the next one.
    func ring() { eventfd_write(bell, 1) }

    /// Watches `descriptor` once, for `mask` instead of what it was watched for: one that nobody waits for
    /// any more cannot keep the thread spinning. Throws where the kernel cannot watch it.
    func watch(_ descriptor: Int32, for mask: UInt32) throws(WaitFailure) {
        var event = epoll_event(events: mask | EPOLLONESHOT.rawValue, data: epoll_data_t(fd: descriptor))
        if epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event) == 0 { return }
        guard errno == ENOENT, epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            throw WaitFailure(code: errno)
        }
    }

    /// Sleeps until something happens or for `timeout` milliseconds (-1: for ever).
    func wait(_ timeout: Int32, into events: inout [epoll_event]) -> ArraySlice<epoll_event> {
        let count = epoll_wait(epoll, &events, Int32(events.count), timeout)
        return events.prefix(Int(max(count, 0)))
    }

    /// True where the event was only the bell, which is silenced.
    func isBell(_ event: epoll_event) -> Bool {
        guard event.data.fd == bell else { return false }
        var count: eventfd_t = 0
        eventfd_read(bell, &count)
        return true
    }
}

/// The kernel cannot watch a descriptor, for instance because it is closed.
public struct WaitFailure: Error, Hashable, CustomStringConvertible {
    /// The error number.
    public let code: Int32

    public var description: String { "cannot wait: \(String(cString: strerror(code)))" }
}
