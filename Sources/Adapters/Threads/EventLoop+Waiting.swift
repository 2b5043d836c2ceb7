import Glibc

extension EventLoop {
    /// Waits until `descriptor` may be ready; a spurious return is possible. False after `deadline`. Throws
    /// `WaitFailure`, and `CancellationError` when the task is cancelled. The descriptor must stay open.
    public func wait(
        for interest: Interest, of descriptor: Int32, until deadline: ContinuousClock.Instant? = nil
    ) async throws -> Bool {
        try await wait {
            Waiter(descriptor: descriptor, interest: interest, end: $0)
        } until: {
            deadline
        }
    }

    /// Throws `CancellationError` when the task is cancelled before `deadline`.
    public func sleep(until deadline: ContinuousClock.Instant) async throws {
        _ = try await wait {
            Waiter(descriptor: nil, interest: .readable, end: $0)
        } until: {
            deadline
        }
    }

    public func sleep(for duration: Duration) async throws {
        try await sleep(until: .now + duration)
    }

    /// Calls `body` once, on the loop's thread, when `descriptor` is readable. It must stay open until then.
    public func whenReadable(_ descriptor: Int32, _ body: @escaping @Sendable () -> Void) {
        let waiter = Waiter(descriptor: descriptor, interest: .readable) { _ in body() }
        add(waiter, state.withLock { $0.newID() }, until: nil)
    }

    /// Calls `body` once, on the loop's thread, after `duration`.
    public func after(_ duration: Duration, _ body: @escaping @Sendable () -> Void) {
        let waiter = Waiter(descriptor: nil, interest: .readable) { _ in body() }
        add(waiter, state.withLock { $0.newID() }, until: .now + duration)
    }

    private func wait(
        _ waiter: (@escaping @Sendable (Result<Bool, any Error>) -> Void) -> Waiter,
        until deadline: () -> ContinuousClock.Instant?
    ) async throws -> Bool {
        let id = state.withLock { $0.newID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(waiter { continuation.resume(with: $0) }, id, until: deadline())
                // A cancellation that came before `add` found nothing to end.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func add(_ waiter: Waiter, _ id: UInt64, until deadline: ContinuousClock.Instant?) {
        let (failure, mustRing) = state.withLock { state -> (WaitFailure?, Bool) in
            state.add(waiter, id, until: deadline)
            do throws(WaitFailure) {
                if let descriptor = waiter.descriptor, let mask = state.mask(of: descriptor) {
                    try watch(descriptor, for: mask)
                }
            } catch {
                _ = state.remove(id)
                return (error, false)
            }
            // A sleep that is to end earlier begins anew; epoll sees a new descriptor by itself.
            return (nil, deadline != nil && state.wakes())
        }
        if let failure { waiter.end(.failure(failure)) }
        if mustRing { poller.ring() }
        startIfNobodyRunsIt()
    }

    /// Most were watched before: epoll keeps them until they close.
    private func watch(_ descriptor: Int32, for mask: UInt32) throws(WaitFailure) {
        do throws(WaitFailure) {
            try poller.change(descriptor, to: mask)
        } catch {
            guard error.code == ENOENT else { throw error }
            try poller.add(descriptor, for: mask)
        }
    }

    private func cancel(_ id: UInt64) {
        let waiter = state.withLock { $0.remove(id) }
        waiter?.end(.failure(CancellationError()))
    }
}
