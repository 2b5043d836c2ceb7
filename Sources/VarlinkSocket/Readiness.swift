import Glibc

/// Waits for descriptors on a thread of its own, which sleeps in epoll until something happens: no
/// timer runs unless a wait has a deadline.
final class Readiness: Sendable {
    enum Interest {
        case readable
        case writable
        /// Both directions closed, by the peer or by `shutdown`.
        case hangUp
    }

    private let poller: Poller

    init() throws(SocketFailure) {
        poller = try Poller()
        try poller.start()
    }

    deinit { poller.stop() }

    /// Returns when `descriptor` may be ready; a spurious return is possible. Throws
    /// `SocketFailure.timedOut` after `deadline` and `CancellationError` when the task is cancelled.
    /// The descriptor must stay open meanwhile.
    func wait(
        for interest: Interest, of descriptor: Int32, until deadline: ContinuousClock.Instant? = nil
    ) async throws {
        let id = poller.newID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                poller.add(
                    Poller.Waiter(
                        id: id, interest: interest, deadline: deadline, continuation: continuation),
                    of: descriptor)
                // A cancellation that came before `add` found nothing to end.
                if Task.isCancelled { poller.cancel(id, of: descriptor) }
            }
        } onCancel: {
            poller.cancel(id, of: descriptor)
        }
    }
}
