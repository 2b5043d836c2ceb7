import CLinux

extension EventLoop {
    /// A task or callback that waits for a descriptor, a deadline, or both.
    struct Waiter {
        let descriptor: Int32?
        let interest: Interest
        /// The callback of the waiter. The loop calls the callback once, without holding the lock: with
        /// `true` if the descriptor is ready, `false` if the deadline has passed, or an error.
        let end: @Sendable (Result<Bool, any Error>) -> Void
    }

    enum Work {
        /// A job of a task. `of` is the executor of the actor that the job is isolated to; `nil` if there is
        /// no actor.
        case job(UnownedJob, of: UnownedSerialExecutor?)
        /// A job that has neither an actor nor a preferred executor.
        case globalJob(UnownedJob)
        case call(@Sendable () -> Void)
    }

    struct State {
        var work: [Work] = []
        var waiters: [UInt64: Waiter] = [:]
        /// The IDs of the waiters of each descriptor.
        var watched: [Int32: [UInt64]] = [:]
        var deadlines: [UInt64: ContinuousClock.Instant] = [:]
        /// The clients and the tags of their descriptors.
        var clients: [(tag: UInt32, client: any LoopClient)] = []
        private var lastID: UInt64 = 0
        /// Whether the loop will check the queue before it sleeps again, so that adding work does not require
        /// a wake-up.
        var isAwake = false

        /// Adds work to the queue. Returns whether the caller must wake the loop.
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

        /// Returns the epoll mask for `descriptor`; `nil` if it has no waiters. The mask is one-shot
        /// (EPOLLONESHOT), because a ready descriptor without waiters would otherwise wake the loop again and
        /// again.
        func eventMask(of descriptor: Int32) -> UInt32? {
            guard let ids = watched[descriptor] else { return nil }
            return ids.reduce(EPOLLONESHOT.rawValue) { $0 | (waiters[$1]?.interest.mask ?? 0) }
        }
    }
}
