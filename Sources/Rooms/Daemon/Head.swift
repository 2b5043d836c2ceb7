/// A number that only grows, and those who sleep until it does. Nobody is sent anything: who wakes
/// reads what came after the number it knows.
final class Head {
    private(set) var value: Int64
    private var sleepers: [Int: CheckedContinuation<Void, Never>] = [:]
    private var nextKey = 0
    /// They advance whenever this one moves.
    var followers: [Head] = []

    init(_ value: Int64 = 0) { self.value = value }

    func move(to value: Int64) {
        guard value > self.value else { return }
        self.value = value
        // Before the sleepers: a pop-up is what somebody waits for.
        for follower in followers { follower.advance() }
        let woken = sleepers
        sleepers.removeAll()
        for sleeper in woken.values { sleeper.resume() }
    }

    /// For what has no number of its own: something changed, look again.
    func advance() { move(to: value + 1) }

    /// Returns as soon as the head is past `known`; throws when the task is cancelled.
    func passed(_ known: Int64) async throws {
        while value <= known {
            try Task.checkCancellation()
            await sleep(past: known)
        }
    }

    private func sleep(past known: Int64) async {
        let key = nextKey
        nextKey += 1
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Others may have had their turn on the way here. Who was cancelled before it slept is not
                // woken by the handler below, and a head that has moved may never move again.
                if Task.isCancelled || value > known {
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
