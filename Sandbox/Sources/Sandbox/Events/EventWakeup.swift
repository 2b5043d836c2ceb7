import Synchronization

/// A signal that wakes readers of the event log when their group has new events. The signal carries no
/// events: each reader continues in the log at its last position. A slow reader therefore needs no buffer,
/// and an event that arrives between a read and the next wait is not lost.
final class EventWakeup: Sendable {
    private struct State {
        var wokenAt: [GroupID: Int64] = [:]
        var waiting: [GroupID: [Int: CheckedContinuation<Void, Never>]] = [:]
        var nextTicket = 0
        var isClosed = false
    }

    private let state = Mutex(State())

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Wakes all readers of `groups`. Later calls of `waitForEvent` return immediately if their event
    /// number is less than `number`.
    func wakeReaders(of groups: Set<GroupID>, atEvent number: Int64) {
        let woken = state.withLock { state in
            groups.flatMap { group in
                state.wokenAt[group] = number
                return state.waiting.removeValue(forKey: group).map { Array($0.values) } ?? []
            }
        }
        for sleeper in woken { sleeper.resume() }
    }

    /// Wakes all readers and makes later waits return immediately. Called when the server stops.
    func close() {
        let woken = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return state.waiting.values.flatMap(\.values)
        }
        for sleeper in woken { sleeper.resume() }
    }

    /// Waits until the group has an event after `number`, the deadline passes, `close` is called, or the task
    /// is cancelled.
    func waitForEvent(of group: GroupID, after number: Int64, until deadline: ContinuousClock.Instant) async {
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await self.waitForEvent(of: group, after: number) }
            tasks.addTask { try? await Task.sleep(until: deadline, clock: .continuous) }
            await tasks.next()
            tasks.cancelAll()
        }
    }

    private func waitForEvent(of group: GroupID, after number: Int64) async {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { sleeper in
                if !addWaiterUnlessWoken(sleeper, ticket: ticket, group: group, after: number) {
                    sleeper.resume()
                }
            }
        } onCancel: {
            state.withLock { $0.waiting[group]?.removeValue(forKey: ticket) }?.resume()
        }
    }

    private func addWaiterUnlessWoken(
        _ waiter: CheckedContinuation<Void, Never>, ticket: Int, group: GroupID, after number: Int64
    ) -> Bool {
        state.withLock { state in
            // Check for cancellation: if the task was cancelled before the waiter is added, the cancellation
            // handler has already run and would not wake the task.
            if state.isClosed || Task.isCancelled || state.wokenAt[group, default: 0] > number {
                return false
            }
            state.waiting[group, default: [:]][ticket] = waiter
            return true
        }
    }
}
