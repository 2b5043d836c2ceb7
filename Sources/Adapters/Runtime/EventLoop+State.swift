import CLinux

extension EventLoop {
    /// A pending wait for a descriptor, for a deadline, or for both.
    struct Waiter {
        let descriptor: Int32?
        let interest: Interest
        /// Called once, without holding the lock: true if the descriptor is ready, false after the deadline.
        let end: @Sendable (Result<Bool, any Error>) -> Void
    }

    enum Work {
        /// A job; the executor is `nil` if the job is isolated to no actor.
        case job(UnownedJob, of: UnownedSerialExecutor?)
        /// A job that is isolated to no actor and has no preferred executor.
        case globalJob(UnownedJob)
        case call(@Sendable () -> Void)
    }

    struct State {
        var work: [Work] = []
        var waiters: [UInt64: Waiter] = [:]
        /// The waiters by descriptor.
        var watched: [Int32: [UInt64]] = [:]
        var deadlines: [UInt64: ContinuousClock.Instant] = [:]
        /// The clients and the tags of their descriptors. There are only a few.
        var clients: [(tag: UInt32, client: any LoopClient)] = []
        private var lastID: UInt64 = 0
        /// The loop checks the queue before it sleeps, so it need not be woken.
        var isAwake = false

        /// Returns whether the loop must be woken.
        mutating func add(_ piece: Work) -> Bool {
            work.append(piece)
            return wakes()
        }

        mutating func newID() -> UInt64 {
            lastID += 1
            return lastID
        }

        mutating func add(_ waiter: Waiter, _ id: UInt64, until deadline: ContinuousClock.Instant?) {
            waiters[id] = waiter
            if let descriptor = waiter.descriptor { watched[descriptor, default: []].append(id) }
            deadlines[id] = deadline
        }

        /// Returns `nil` if the waiter was already removed.
        mutating func remove(_ id: UInt64) -> Waiter? {
            guard let waiter = waiters.removeValue(forKey: id) else { return nil }
            deadlines[id] = nil
            guard let descriptor = waiter.descriptor else { return waiter }
            watched[descriptor]?.removeAll { $0 == id }
            if watched[descriptor]?.isEmpty == true { watched[descriptor] = nil }
            return waiter
        }

        mutating func wakes() -> Bool {
            defer { isAwake = true }
            return !isAwake
        }

        /// Returns the events to watch on `descriptor`; `nil` if there are no waiters. Registrations are
        /// one-shot, so that a descriptor without waiters cannot keep the loop spinning.
        func mask(of descriptor: Int32) -> UInt32? {
            guard let ids = watched[descriptor] else { return nil }
            return ids.reduce(EPOLLONESHOT.rawValue) { $0 | (waiters[$1]?.interest.mask ?? 0) }
        }
    }
}
