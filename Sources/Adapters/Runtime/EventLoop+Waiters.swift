import CLinux
import Glibc

/// The functions with which tasks and callbacks wait for descriptors and deadlines.
extension EventLoop {
    /// Waits until `descriptor` is ready. Spurious wake-ups are possible. The descriptor must stay open
    /// during the wait.
    ///
    /// - Returns: `false` if `deadline` has passed; otherwise `true`.
    /// - Throws: `WaitFailure`, or `CancellationError` if the task is cancelled.
    public func wait(
        for interest: Interest, on descriptor: Int32, until deadline: ContinuousClock.Instant? = nil
    ) async throws -> Bool {
        try await suspendTask {
            Waiter(descriptor: descriptor, interest: interest, end: $0)
        } until: {
            deadline
        }
    }

    /// Waits until `deadline`. Throws `CancellationError` if the task is cancelled earlier.
    public func sleep(until deadline: ContinuousClock.Instant) async throws {
        _ = try await suspendTask {
            Waiter(descriptor: nil, interest: .readable, end: $0)
        } until: {
            deadline
        }
    }

    public func sleep(for duration: Duration) async throws {
        try await sleep(until: .now + duration)
    }

    /// Runs `body` and returns its result. If `body` exceeds `limit` or the task is cancelled, cancels
    /// `body`, waits for it to return, and returns `nil`.
    public func withTimeout<Value: Sendable, Failure: Error>(
        _ limit: Duration, _ body: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value? {
        let first = await withTaskGroup(of: Result<Value, Failure>?.self) { group in
            group.addTask {
                do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
            }
            group.addTask {
                try? await self.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        return try first?.get()
    }

    /// Calls `body` once, on the thread of the loop, when `descriptor` is readable. The descriptor must stay
    /// open until then.
    public func perform(whenReadable descriptor: Int32, _ body: @escaping @Sendable () -> Void) {
        let waiter = Waiter(descriptor: descriptor, interest: .readable) { _ in body() }
        addWaiter(waiter, id: state.withLock { $0.waiters.makeID() }, until: nil)
    }

    /// Calls `body` once, on the thread of the loop, after `duration`.
    public func perform(after duration: Duration, _ body: @escaping @Sendable () -> Void) {
        let waiter = Waiter(descriptor: nil, interest: .readable) { _ in body() }
        addWaiter(waiter, id: state.withLock { $0.waiters.makeID() }, until: .now + duration)
    }

    private func suspendTask(
        withWaiter makeWaiter: (@escaping @Sendable (Result<Bool, any Error>) -> Void) -> Waiter,
        until deadline: () -> ContinuousClock.Instant?
    ) async throws -> Bool {
        let id = state.withLock { $0.waiters.makeID() }
        return try await withCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                addWaiter(makeWaiter { continuation.resume(with: $0) }, id: id, until: deadline())
                // If the task was cancelled before `addWaiter`, the cancellation handler did not find the
                // waiter.
                if Task.isCancelled { cancelWaiter(id) }
            }
        } onCancel: {
            cancelWaiter(id)
        }
    }

    private func addWaiter(_ waiter: Waiter, id: UInt64, until deadline: ContinuousClock.Instant?) {
        let (failure, mustRing) = state.withLock { state -> (WaitFailure?, Bool) in
            state.waiters.add(waiter, id: id, until: deadline)
            do throws(WaitFailure) {
                if let descriptor = waiter.descriptor, let mask = state.waiters.eventMask(of: descriptor) {
                    try watch(descriptor, for: mask)
                }
            } catch {
                _ = state.waiters.remove(id)
                return (error, false)
            }
            // A deadline may be before the end of the current sleep, so wake the loop. A new descriptor needs
            // no wake-up, because it also takes effect during a running `epoll_wait`.
            return (nil, deadline != nil && state.reserveWakeUp())
        }
        if let failure { waiter.end(.failure(failure)) }
        if mustRing { poller.wake() }
        startIfNeeded()
    }

    /// Changes the epoll mask of a descriptor. Registers the descriptor only if the change fails, because
    /// most descriptors stay registered until they are closed.
    private func watch(_ descriptor: Int32, for mask: UInt32) throws(WaitFailure) {
        do throws(WaitFailure) {
            try poller.change(descriptor, to: mask)
        } catch {
            guard error.code == ENOENT else { throw error }
            try poller.add(descriptor, for: mask)
        }
    }

    private func cancelWaiter(_ id: UInt64) {
        let waiter = state.withLock { $0.waiters.remove(id) }
        waiter?.end(.failure(CancellationError()))
    }

    /// Resumes the tasks that wait for a ready descriptor.
    func resumeWaiters(for ready: Poller.Ready) {
        let woken = state.withLock { state in
            let ids = state.waiters.watched[ready.descriptor, default: []]
            let woken = ids.filter { ready.events & (state.waiters.byID[$0]?.interest.wakingMask ?? 0) != 0 }
                .compactMap { state.waiters.remove($0) }
            // The change does not fail, because the remaining waiters keep the descriptor open and
            // registered.
            if let mask = state.waiters.eventMask(of: ready.descriptor) {
                try? poller.change(ready.descriptor, to: mask)
            }
            return woken
        }
        for waiter in woken { waiter.end(.success(true)) }
    }

    /// Resumes the tasks whose deadline has passed.
    func expireWaiters() {
        let late = state.withLock { state -> [Waiter] in
            let now = ContinuousClock.now
            guard state.waiters.deadlines.values.contains(where: { $0 <= now }) else { return [] }
            return state.waiters.deadlines.filter { $0.value <= now }.sorted { $0.value < $1.value }
                .compactMap { state.waiters.remove($0.key) }
        }
        for waiter in late { waiter.end(.success(false)) }
    }
}

extension EventLoop {
    /// A task or callback that waits for a descriptor, a deadline, or both.
    struct Waiter {
        let descriptor: Int32?
        let interest: Interest
        /// The callback of the waiter. The loop calls the callback once, without holding the lock: with
        /// `true` if the descriptor is ready, `false` if the deadline has passed, or an error.
        let end: @Sendable (Result<Bool, any Error>) -> Void
    }

    /// The waiters by ID, descriptor and deadline.
    struct Waiters {
        private(set) var byID: [UInt64: Waiter] = [:]
        /// The IDs of the waiters of each descriptor.
        private(set) var watched: [Int32: [UInt64]] = [:]
        private(set) var deadlines: [UInt64: ContinuousClock.Instant] = [:]
        private var lastID: UInt64 = 0

        mutating func makeID() -> UInt64 {
            lastID += 1
            return lastID
        }

        mutating func add(_ waiter: Waiter, id: UInt64, until deadline: ContinuousClock.Instant?) {
            byID[id] = waiter
            if let descriptor = waiter.descriptor { watched[descriptor, default: []].append(id) }
            deadlines[id] = deadline
        }

        /// Removes a waiter; returns `nil` if it was already removed.
        mutating func remove(_ id: UInt64) -> Waiter? {
            guard let waiter = byID.removeValue(forKey: id) else { return nil }
            deadlines[id] = nil
            guard let descriptor = waiter.descriptor else { return waiter }
            watched[descriptor]?.removeAll { $0 == id }
            if watched[descriptor]?.isEmpty == true { watched[descriptor] = nil }
            return waiter
        }

        /// Returns the epoll mask for `descriptor`; `nil` if it has no waiters. The mask is one-shot
        /// (EPOLLONESHOT), because a ready descriptor without waiters would otherwise wake the loop again and
        /// again.
        func eventMask(of descriptor: Int32) -> UInt32? {
            guard let ids = watched[descriptor] else { return nil }
            return ids.reduce(EPOLLONESHOT.rawValue) { $0 | (byID[$1]?.interest.mask ?? 0) }
        }
    }
}
