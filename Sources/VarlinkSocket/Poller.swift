import CLinux
import Glibc
import Synchronization

/// The state that the waiting tasks share with the epoll thread. The thread keeps it alive and ends on
/// `stop`.
final class Poller: Sendable {
    struct Waiter {
        let id: UInt64
        let interest: Readiness.Interest
        let deadline: ContinuousClock.Instant?
        let continuation: CheckedContinuation<Void, any Error>
    }

    struct State {
        var lastID: UInt64 = 0
        var waiters: [Int32: [Waiter]] = [:]
        var deadlines: [UInt64: (descriptor: Int32, at: ContinuousClock.Instant)] = [:]
        /// Until when the thread sleeps at most; nil: for ever.
        var sleepsUntil: ContinuousClock.Instant?
        var stopped = false

        @discardableResult
        mutating func remove(_ id: UInt64, of descriptor: Int32) -> Waiter? {
            guard let index = waiters[descriptor]?.firstIndex(where: { $0.id == id }) else { return nil }
            deadlines[id] = nil
            let waiter = waiters[descriptor]?.remove(at: index)
            if waiters[descriptor]?.isEmpty == true { waiters[descriptor] = nil }
            return waiter
        }
    }

    let epoll: Descriptor
    let wakeUp: Descriptor
    let state = Mutex(State())

    init() throws(SocketFailure) {
        epoll = Descriptor(owning: epoll_create1(Int32(EPOLL_CLOEXEC)))
        wakeUp = Descriptor(owning: eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)))
        guard epoll.number >= 0, wakeUp.number >= 0 else { throw .system("epoll") }
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: wakeUp.number))
        guard epoll_ctl(epoll.number, EPOLL_CTL_ADD, wakeUp.number, &event) == 0 else {
            throw .system("epoll_ctl")
        }
    }

    func stop() {
        state.withLock { $0.stopped = true }
        wake()
    }

    func newID() -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    func add(_ waiter: Waiter, of descriptor: Int32) {
        let (failure, mustWake) = state.withLock { state -> (SocketFailure?, Bool) in
            state.waiters[descriptor, default: []].append(waiter)
            if let failure = arm(descriptor, state) {
                state.remove(waiter.id, of: descriptor)
                return (failure, false)
            }
            guard let deadline = waiter.deadline else { return (nil, false) }
            state.deadlines[waiter.id] = (descriptor, deadline)
            return (nil, state.sleepsUntil.map { deadline < $0 } ?? true)
        }
        if let failure { waiter.continuation.resume(throwing: failure) }
        if mustWake { wake() }
    }

    func cancel(_ id: UInt64, of descriptor: Int32) {
        let waiter = state.withLock { $0.remove(id, of: descriptor) }
        waiter?.continuation.resume(throwing: CancellationError())
    }

    private func wake() { _ = eventfd_write(wakeUp.number, 1) }

    /// One shot: a descriptor nobody waits for any more cannot keep the thread spinning.
    func arm(_ descriptor: Int32, _ state: borrowing State) -> SocketFailure? {
        guard let waiters = state.waiters[descriptor], !waiters.isEmpty else { return nil }
        let mask = waiters.reduce(EPOLLONESHOT.rawValue) { $0 | $1.interest.mask }
        var event = epoll_event(events: mask, data: epoll_data_t(fd: descriptor))
        if epoll_ctl(epoll.number, EPOLL_CTL_MOD, descriptor, &event) == 0 { return nil }
        guard errno == ENOENT, epoll_ctl(epoll.number, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            return .system("epoll_ctl")
        }
        return nil
    }
}
