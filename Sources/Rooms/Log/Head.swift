/// A signal without content: tasks that wait for it read the changes since their last look.
package final class Signal {
    /// The number of notifications.
    package private(set) var count: Int64 = 0
    private var sleepers: [Int: CheckedContinuation<Void, Never>] = [:]
    private var nextKey = 0
    private var followers: [Signal] = []

    package init() {}

    /// The number of tasks that wait.
    package var sleeperCount: Int { sleepers.count }

    package func notify() {
        count += 1
        // Followers first: they show notifications, which the user is waiting for.
        for follower in followers { follower.notify() }
        let woken = sleepers
        sleepers.removeAll()
        for sleeper in woken.values { sleeper.resume() }
    }

    /// Notifies this signal whenever `other` is notified, before the tasks that wait for `other`.
    package func follow(_ other: Signal) { other.followers.append(self) }

    /// Waits until the signal has been notified more than `seen` times.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package func wait(past seen: Int64) async throws {
        while count <= seen {
            try Task.checkCancellation()
            await sleep(past: seen)
        }
    }

    private func sleep(past seen: Int64) async {
        let key = nextKey
        nextKey += 1
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Check again, because other tasks may have run since. The handler below does not wake a task
                // that was cancelled before it slept, and a missed notification may be the last one.
                if Task.isCancelled || count > seen {
                    continuation.resume()
                } else {
                    sleepers[key] = continuation
                }
            }
        } onCancel: {
            Task { @MainActor in self.sleepers.removeValue(forKey: key)?.resume() }
        }
    }
}

/// A position that only increases, such as the newest log sequence, and the tasks that wait for an increase.
package final class Head {
    package private(set) var value: Int64
    package let moves = Signal()
    /// Notified after `moves`. Readers of which there may be many, such as watchers, wait for this signal, so
    /// that they do not delay a notification.
    private let readers = Signal()
    package private(set) var areReadersHeld = false

    /// Few readers delay a notification by less than it would take to hold them.
    private static let fewReaders = 8

    package init(_ value: Int64 = 0) { self.value = value }

    /// Moves the position. Lower values are ignored.
    package func move(to value: Int64) {
        guard value > self.value else { return }
        self.value = value
        moves.notify()
        if !areReadersHeld { readers.notify() }
    }

    /// The number of tasks that wait in `passed`.
    package var readerCount: Int { readers.sleeperCount }

    /// Delays the readers of the next moves until `releaseReaders`, if there are many.
    package func holdReaders() { areReadersHeld = readers.sleeperCount > Self.fewReaders }

    package func releaseReaders() {
        guard areReadersHeld else { return }
        areReadersHeld = false
        readers.notify()
    }

    /// Waits until the position is greater than `known`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package func passed(_ known: Int64) async throws {
        while value <= known { try await readers.wait(past: readers.count) }
    }
}
