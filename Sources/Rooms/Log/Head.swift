/// That something changed: look again. Nobody is sent anything: who wakes reads what is new since they looked.
package final class Signal {
    /// How often it was notified.
    package private(set) var count: Int64 = 0
    private var sleepers: [Int: CheckedContinuation<Void, Never>] = [:]
    private var nextKey = 0
    private var followers: [Signal] = []

    package init() {}

    package func notify() {
        count += 1
        // Before the sleepers: a pop-up is what somebody waits for.
        for follower in followers { follower.notify() }
        let woken = sleepers
        sleepers.removeAll()
        for sleeper in woken.values { sleeper.resume() }
    }

    /// Is notified from now on whenever `other` is, and before those who wait for that.
    package func follow(_ other: Signal) { other.followers.append(self) }

    /// Returns as soon as it was notified more than `seen` times; throws when the task is cancelled.
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
                // Others may have had their turn on the way here. Who was cancelled before it slept is not
                // woken by the handler below, and a signal that was given may never be given again.
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

/// A position that only grows, as the newest sequence of the log, and those who wait until it is past the one that
/// they know.
package final class Head {
    package private(set) var value: Int64
    package let moves = Signal()

    package init(_ value: Int64 = 0) { self.value = value }

    /// Back it does not go.
    package func move(to value: Int64) {
        guard value > self.value else { return }
        self.value = value
        moves.notify()
    }

    /// Returns as soon as it is past `known`; throws when the task is cancelled.
    package func passed(_ known: Int64) async throws {
        while value <= known { try await moves.wait(past: moves.count) }
    }
}
