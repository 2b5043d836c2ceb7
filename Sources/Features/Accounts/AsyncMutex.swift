import EventLog

/// A mutex whose waiting tasks are suspended instead of blocking a thread.
package final class AsyncMutex {
    private(set) var isLocked = false
    private let unlocks = ChangeSignal()

    package init() {}

    func withLock<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await lock()
        defer { unlock() }
        return try await body()
    }

    /// Waits for the lock and acquires it; `unlock` releases it. Throws if the task is cancelled while
    /// waiting.
    package func lock() async throws(CancellationError) {
        while isLocked {
            do { try await unlocks.wait(past: unlocks.count) } catch { throw CancellationError() }
        }
        isLocked = true
    }

    package func unlock() {
        isLocked = false
        unlocks.notify()
    }
}
