import CLinux

extension EventLoop {
    /// A pending wait for a descriptor, for a deadline, or for both.
    struct Waiter {
        let descriptor: Int32?
        let interest: Interest
        /// The callback, which runs once, without the lock: with `true` if the descriptor is ready, with
        /// `false` after the deadline.
        let end: @Sendable (Result<Bool, any Error>) -> Void
    }

    enum Work {
        /// A job with the executor of its actor; the executor is `nil` if the job is not isolated to an
        /// actor.
        case job(UnownedJob, of: UnownedSerialExecutor?)
        /// A job that is not isolated to an actor and has no preferred executor.
        case globalJob(UnownedJob)
        case call(@Sendable () -> Void)
    }

    struct State {
        var work: [Work] = []
        var waiters: [UInt64: Waiter] = [:]
        /// The IDs of the waiters by descriptor.
        var watched: [Int32: [UInt64]] = [:]
        var deadlines: [UInt64: ContinuousClock.Instant] = [:]
        /// The clients with the tags of their descriptors.
        var clients: [(tag: UInt32, client: any LoopClient)] = []
        private var lastID: UInt64 = 0
        /// Whether the loop will check the queue before it sleeps, so that it need not be woken.
        var isAwake = false

        /// Adds work. Returns whether the loop must be woken.
        mutating func addWork(_ piece: Work) -> Bool {
            work.append(piece)
            return claimWakeUp()
        }

        mutating func makeID() -> UInt64 {
            lastID += 1
            return lastID
        }

        mutating func addWaiter(_ waiter: Waiter, id: UInt64, until deadline: ContinuousClock.Instant?) {
            waiters[id] = waiter
            if let descriptor = waiter.descriptor { watched[descriptor, default: []].append(id) }
            deadlines[id] = deadline
        }

        /// Removes a waiter; returns `nil` if it was already removed.
        mutating func removeWaiter(_ id: UInt64) -> Waiter? {
            guard let waiter = waiters.removeValue(forKey: id) else { return nil }
            deadlines[id] = nil
            guard let descriptor = waiter.descriptor else { return waiter }
            watched[descriptor]?.removeAll { $0 == id }
            if watched[descriptor]?.isEmpty == true { watched[descriptor] = nil }
            return waiter
        }

        mutating func claimWakeUp() -> Bool {
            defer { isAwake = true }
            return !isAwake
        }

        /// Returns the events to watch on `descriptor`; `nil` if it has no waiters. Registrations are
        /// one-shot, so that a descriptor without waiters does not make the loop spin.
        func eventMask(of descriptor: Int32) -> UInt32? {
            guard let ids = watched[descriptor] else { return nil }
            return ids.reduce(EPOLLONESHOT.rawValue) { $0 | (waiters[$1]?.interest.mask ?? 0) }
        }
    }
}
