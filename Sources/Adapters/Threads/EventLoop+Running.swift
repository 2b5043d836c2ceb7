extension EventLoop {
    private static let mostRounds = 16

    /// Sleeps and wakes others, for ever.
    func run() -> Never {
        settle()
        var work: [Work] = []
        while true {
            let due = clients.lazy.compactMap { $0.timeUntilDue() }.min()
            let count = poller.wait(atMost: prepareToSleep(atMost: due))
            state.withLock { $0.isAwake = true }
            for index in 0..<count { if let ready = poller.ready(at: index) { tell(of: ready) } }
            for client in clients where client.timeUntilDue() == .zero { client.handleDue() }
            expire()
            runAll(&work)
        }
    }

    private var clients: [any LoopClient] { state.withLock { Array($0.clients.values) } }

    /// For how long, nil for ever. No longer than an hour: epoll does not count the time of a suspend.
    private func prepareToSleep(atMost limit: Duration?) -> Duration? {
        state.withLock { state in
            guard state.work.isEmpty else { return .zero }
            state.isAwake = false
            let untilDeadline = state.deadlines.values.min().map { max(.zero, $0 - .now) }
            guard let wait = [untilDeadline, limit].compactMap(\.self).min() else { return nil }
            return min(wait, .seconds(3600))
        }
    }

    private func tell(of ready: Poller.Ready) {
        guard ready.tag != Poller.untagged else { return wake(for: ready) }
        // It may have gone while this wait was ending.
        state.withLock { $0.clients[ready.tag] }?.handle(ready)
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
        switch piece {
        case .job(let job, of: let executor?):
            job.runSynchronously(isolatedTo: executor, taskExecutor: asUnownedTaskExecutor())
        case .job(let job, of: nil): job.runSynchronously(on: asUnownedTaskExecutor())
        case .call(let body): body()
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
