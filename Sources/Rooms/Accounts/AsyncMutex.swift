import Log

/// Lets one in at a time; the others wait.
package final class AsyncMutex {
    private(set) var isLocked = false
    private let unlocks = Signal()

    package init() {}

    func withLock<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await lock()
        defer { unlock() }
        return try await body()
    }

    /// Waits until nobody has it; `unlock` gives it back. Throws when the task is cancelled before.
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
