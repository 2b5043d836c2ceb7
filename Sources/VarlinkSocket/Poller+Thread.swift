import CLinux
import Glibc
import Synchronization

extension Poller {
    func start() throws(SocketFailure) {
        var thread = pthread_t()
        let kept = Unmanaged.passRetained(self)
        let code = pthread_create(&thread, nil, { Poller.run($0) }, kept.toOpaque())
        guard code == 0 else {
            kept.release()
            throw .system(operation: "pthread_create", code: code)
        }
        pthread_detach(thread)
    }

    private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        clinux_name_this_thread("varlink")
        Unmanaged<Poller>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }

    /// Sleeps and resumes waiters until `stop`.
    private func run() {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        while let timeout = nextTimeout() {
            let count = epoll_wait(epoll.number, &events, Int32(events.count), timeout)
            for event in events.prefix(Int(max(count, 0))) { dispatch(event) }
            expire()
        }
    }

    /// In milliseconds, -1 for ever; nil once stopped.
    private func nextTimeout() -> Int32? {
        state.withLock { state in
            guard !state.stopped else { return nil }
            state.sleepsUntil = state.deadlines.values.lazy.map(\.at).min()
            guard let until = state.sleepsUntil else { return -1 }
            let left = ContinuousClock.now.duration(to: until) / .milliseconds(1)
            return Int32(min(max(left.rounded(.up), 0), 3_600_000))
        }
    }

    private func dispatch(_ event: epoll_event) {
        guard event.data.fd != wakeUp.number else {
            var count: eventfd_t = 0
            _ = eventfd_read(wakeUp.number, &count)
            return
        }
        let ready = state.withLock { state in
            let ids = state.waiters[event.data.fd, default: []]
                .filter { event.events & $0.interest.wakingMask != 0 }.map(\.id)
            let ready = ids.compactMap { state.remove($0, of: event.data.fd) }
            // The descriptor was armed a moment ago and is still open: its waiters hold it.
            _ = arm(event.data.fd, state)
            return ready
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    private func expire() {
        let late = state.withLock { state -> [Waiter] in
            guard !state.deadlines.isEmpty else { return [] }
            let now = ContinuousClock.now
            return state.deadlines.filter { $0.value.at <= now }
                .compactMap { state.remove($0.key, of: $0.value.descriptor) }
        }
        for waiter in late { waiter.continuation.resume(throwing: SocketFailure.timedOut) }
    }
}
