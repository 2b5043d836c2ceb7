import CLinux
import Glibc

extension EventLoop {
    /// Sleeps and wakes others, for ever. `mainQueue`: the main actor's turn is this thread's, too.
    func run(mainQueue: MainQueue? = nil) -> Never {
        if let mainQueue { poller.keep(mainQueue.descriptor) }
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        var jobs: [UnownedJob] = []
        while true {
            let happened = poller.wait(prepareToSleep(), into: &events)
            state.withLock { $0.isAwake = true }
            for event in happened where !poller.isBell(event) {
                if let mainQueue, event.data.fd == mainQueue.descriptor {
                    mainQueue.drain()
                } else {
                    wake(for: event)
                }
            }
            expire()
            runJobs(&jobs)
        }
    }

    /// For how many milliseconds, -1 for ever.
    private func prepareToSleep() -> Int32 {
        state.withLock { state in
            guard state.jobs.isEmpty else { return 0 }
            state.isAwake = false
            guard let until = state.deadlines.values.min() else { return -1 }
            let left = ContinuousClock.now.duration(to: until) / .milliseconds(1)
            return Int32(min(max(left.rounded(.up), 0), 3_600_000))
        }
    }

    /// `jobs` is the array that is swapped with the one that is filled.
    private func runJobs(_ jobs: inout [UnownedJob]) {
        state.withLock { swap(&$0.jobs, &jobs) }
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        jobs.removeAll(keepingCapacity: true)
    }

    private func wake(for event: epoll_event) {
        let descriptor = event.data.fd
        let ready = state.withLock { state in
            let ids = state.watched[descriptor, default: []]
            let ready = ids.filter { event.events & (state.waiters[$0]?.interest.wakingMask ?? 0) != 0 }
                .compactMap { state.remove($0) }
            // The descriptor was watched a moment ago and is still open: those who wait hold it.
            if let mask = state.mask(of: descriptor) { try? poller.watch(descriptor, for: mask) }
            return ready
        }
        for waiter in ready { waiter.end(.success(true)) }
    }

    private func expire() {
        let late = state.withLock { state -> [Waiter] in
            guard !state.deadlines.isEmpty else { return [] }
            let now = ContinuousClock.now
            return state.deadlines.filter { $0.value <= now }.sorted { $0.value < $1.value }
                .compactMap { state.remove($0.key) }
        }
        for waiter in late { waiter.end(.success(false)) }
    }
}
