extension EventLoop {
    private static let mostRounds = 16

    /// Sleeps and wakes others, for ever.
    func run() -> Never {
        var work: [Work] = []
        while true {
            let count = poller.wait(atMost: prepareToSleep())
            state.withLock { $0.isAwake = true }
            for index in 0..<count { if let ready = poller.ready(at: index) { wake(for: ready) } }
            expire()
            runAll(&work)
        }
    }

    /// For how long, nil for ever. No longer than an hour: epoll does not count the time of a suspend.
    private func prepareToSleep() -> Duration? {
        state.withLock { state in
            guard state.work.isEmpty else { return .zero }
            state.isAwake = false
            guard let until = state.deadlines.values.min() else { return nil }
            return min(max(.zero, until - .now), .seconds(3600))
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

    private func wake(for ready: Poller.Ready) {
        let woken = state.withLock { state in
            let ids = state.watched[ready.descriptor, default: []]
            let woken = ids.filter { ready.events & (state.waiters[$0]?.interest.wakingMask ?? 0) != 0 }
                .compactMap { state.remove($0) }
            // The descriptor was watched a moment ago and is still open: those who wait hold it.
            if let mask = state.mask(of: ready.descriptor) { try? poller.change(ready.descriptor, to: mask) }
            return woken
        }
        for waiter in woken { waiter.end(.success(true)) }
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
