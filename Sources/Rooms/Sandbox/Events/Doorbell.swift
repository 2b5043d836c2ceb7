import Synchronization

/// Wakes who waits for the events of a group. It carries no event: who is woken reads on from where it
/// was, so that a slow reader costs no memory and nothing is lost between a read and a wait.
final class Doorbell: Sendable {
    private struct State {
        var rungAt: [GroupID: Int64] = [:]
        var waiting: [GroupID: [Int: CheckedContinuation<Void, Never>]] = [:]
        var nextTicket = 0
        var isClosed = false
    }

    private let state = Mutex(State())

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Wakes everybody who has read less than up to `number` of one of `groups`.
    func ring(_ groups: Set<GroupID>, at number: Int64) {
        let woken = state.withLock { state in
            groups.flatMap { group in
                state.rungAt[group] = number
                return state.waiting.removeValue(forKey: group).map { Array($0.values) } ?? []
            }
        }
        for sleeper in woken { sleeper.resume() }
    }

    /// Wakes everybody, and lets nobody sleep again: the server ends.
    func close() {
        let woken = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return state.waiting.values.flatMap(\.values)
        }
        for sleeper in woken { sleeper.resume() }
    }

    /// Returns when `group` was rung for since `number`, at `deadline`, at the end or when cancelled.
    func wait(for group: GroupID, after number: Int64, until deadline: ContinuousClock.Instant) async {
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await self.wait(for: group, after: number) }
            tasks.addTask { try? await Task.sleep(until: deadline, clock: .continuous) }
            await tasks.next()
            tasks.cancelAll()
        }
    }

    private func wait(for group: GroupID, after number: Int64) async {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { sleeper in
                if !admit(sleeper, ticket, group, after: number) { sleeper.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting[group]?.removeValue(forKey: ticket) }?.resume()
        }
    }

    private func admit(
        _ sleeper: CheckedContinuation<Void, Never>, _ ticket: Int, _ group: GroupID, after number: Int64
    ) -> Bool {
        state.withLock { state in
            // A task that was cancelled before it got here has no handler to wake it any more.
            if state.isClosed || Task.isCancelled || state.rungAt[group, default: 0] > number {
                return false
            }
            state.waiting[group, default: [:]][ticket] = sleeper
            return true
        }
    }
}
