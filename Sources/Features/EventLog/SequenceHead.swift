/// A signal without content. A woken task reads the changes since its last read.
package final class ChangeSignal {
    /// The number of calls of `notify`.
    package private(set) var count: Int64 = 0
    /// The waiting tasks, in the order in which they began to wait. An array is sufficient, because few tasks
    /// wait for one signal.
    private var waiters: [(key: Int, continuation: CheckedContinuation<Void, Never>)] = []
    private var nextKey = 0
    private var followers: [ChangeSignal] = []

    package init() {}

    /// The number of tasks that wait.
    package var sleeperCount: Int { waiters.count }

    /// Wakes all tasks that wait.
    package func notify() {
        count += 1
        // Notify the followers first: they show notifications, for which the user waits.
        for follower in followers { follower.notify() }
        if waiters.isEmpty { return }
        let woken = waiters
        waiters = []
        for waiter in woken { waiter.continuation.resume() }
    }

    /// Notifies this signal whenever `other` is notified, before waking the tasks that wait for `other`.
    package func follow(_ other: ChangeSignal) { other.followers.append(self) }

    /// Waits until the signal has been notified more than `seenCount` times.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package func wait(past seenCount: Int64) async throws {
        while count <= seenCount {
            try Task.checkCancellation()
            await sleep(past: seenCount)
        }
    }

    private func sleep(past seenCount: Int64) async {
        let key = nextKey
        nextKey += 1
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Check again, because other tasks may have run since the caller's check. The cancellation handler
                // below wakes only a task that already sleeps, and a missed notification might be the last one.
                if Task.isCancelled || count > seenCount {
                    continuation.resume()
                } else {
                    waiters.append((key, continuation))
                }
            }
        } onCancel: {
            Task { @MainActor in self.resumeWaiter(key) }
        }
    }
}

extension ChangeSignal {
    private func resumeWaiter(_ key: Int) {
        guard let place = waiters.firstIndex(where: { $0.key == key }) else { return }
        waiters.remove(at: place).continuation.resume()
    }
}

extension RuntimeEnvironment {
    /// Waits until `signal` has been notified more than `seenCount` times, or until `limit` has passed; `nil`
    /// for no limit.
    package func wait(for signal: ChangeSignal, past seenCount: Int64, atMost limit: Duration?) async throws {
        guard let limit else { return try await signal.wait(past: seenCount) }
        _ = try await withTimeout(limit) { try await signal.wait(past: seenCount) }
    }
}

/// A position that only increases, such as the newest sequence number of the log, and the tasks that wait for
/// an increase.
package final class SequenceHead {
    package private(set) var value: Int64
    package let advances = ChangeSignal()
    /// The signal for watchers, which is notified after the signal `advances`. Because of the separate signal,
    /// waking many watchers does not delay a notification.
    private let readers = ChangeSignal()
    package private(set) var areReadersPaused = false

    /// The maximum number of readers for which `pauseReaders` has no effect: waking a few readers delays a
    /// notification less than the pause would.
    private static let fewReaders = 8

    package init(_ value: Int64 = 0) { self.value = value }

    /// Advances the position to `value`. Has no effect if `value` is not greater than the current position.
    package func advance(to value: Int64) {
        guard value > self.value else { return }
        self.value = value
        advances.notify()
        if !areReadersPaused { readers.notify() }
    }

    /// The number of tasks that wait in `waitUntilPast`.
    package var readerCount: Int { readers.sleeperCount }

    /// Delays the readers until `resumeReaders` is called, if there are more than `fewReaders`.
    package func pauseReaders() { areReadersPaused = readers.sleeperCount > Self.fewReaders }

    /// Wakes the readers that were suspended by `pauseReaders`.
    package func resumeReaders() {
        guard areReadersPaused else { return }
        areReadersPaused = false
        readers.notify()
    }

    /// Waits until the position is greater than `sequence`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package func waitUntilPast(_ sequence: Int64) async throws {
        while value <= sequence { try await readers.wait(past: readers.count) }
    }
}
