import CLinux

extension EventLoop {
    /// Somebody who waits: for a descriptor, until a deadline, or both.
    struct Waiter {
        let descriptor: Int32?
        let interest: Interest
        /// Called once, outside of the lock: true when ready, false when the deadline came first.
        let end: @Sendable (Result<Bool, any Error>) -> Void
    }

    enum Work {
        /// A piece of a task; the executor is nil where it is isolated to no actor.
        case job(UnownedJob, of: UnownedSerialExecutor?)
        /// A piece of a task that is isolated to no actor and prefers no executor.
        case globalJob(UnownedJob)
        case call(@Sendable () -> Void)
    }

    struct State {
        var work: [Work] = []
        var waiters: [UInt64: Waiter] = [:]
        /// Who waits for a descriptor.
        var watched: [Int32: [UInt64]] = [:]
        var deadlines: [UInt64: ContinuousClock.Instant] = [:]
        /// Who is driven, with the tag of their descriptors. They are few.
        var clients: [(tag: UInt32, client: any LoopClient)] = []
        private var lastID: UInt64 = 0
        /// The thread looks here before it sleeps: no need to ring.
        var isAwake = false

        /// Whether the thread must be woken for it.
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

        /// Nil where it was removed before: somebody else ends it.
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

        /// What is waited for on `descriptor`; nil where nobody waits. Once: one that nobody waits for any
        /// more cannot keep the thread spinning.
        func mask(of descriptor: Int32) -> UInt32? {
            guard let ids = watched[descriptor] else { return nil }
            return ids.reduce(EPOLLONESHOT.rawValue) { $0 | (waiters[$1]?.interest.mask ?? 0) }
        }
    }
}
