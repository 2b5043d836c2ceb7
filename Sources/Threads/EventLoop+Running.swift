import CLinux
import Glibc

extension EventLoop {
    private static let mostRounds = 16

    /// Sleeps and wakes others, for ever.
    func run() -> Never {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        var work: [Work] = []
        while true {
            let happened = poller.wait(prepareToSleep(), into: &events)
            state.withLock { $0.isAwake = true }
            for event in happened where !poller.isBell(event) { wake(for: event) }
            expire()
            runAll(&work)
        }
    }

    /// For how many milliseconds, -1 for ever.
    private func prepareToSleep() -> Int32 {
        state.withLock { state in
            guard state.work.isEmpty else { return 0 }
            state.isAwake = false
            guard let until = state.deadlines.values.min() else { return -1 }
            let left = ContinuousClock.now.duration(to: until) / .milliseconds(1)
            return Int32(min(max(left.rounded(.up), 0), 3_600_000))
        }
    }

    /// What waits, and what comes of it at once, but not for ever: descriptors and sleepers want their turn.
    /// `work` is the array that is swapped with the one that is filled.
    private func runAll(_ work: inout [Work]) {
        for _ in 0..<Self.mostRounds {
            state.withLock { swap(&$0.work, &work) }
            if work.isEmpty { return }
            for piece in work { run(piece) }
            work.removeAll(keepingCapacity: true)
        }
    }

    /// Both executors are told: a task that finds itself where it wants to be goes on without a hop.
    private func run(_ piece: Work) {
        if let executor = piece.executor {
            piece.job.runSynchronously(isolatedTo: executor, taskExecutor: asUnownedTaskExecutor())
        } else {
            piece.job.runSynchronously(on: asUnownedTaskExecutor())
        }
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
