import EventLog

/// Releases free heap memory and cached database pages when the daemon has been idle for some minutes
/// after much activity. Afterwards, no timer runs until the next event.
final class IdleMemoryTrimmer {
    /// The interval of the idle check. The memory is released between one and two intervals after the last
    /// event.
    static let idleDelay: Duration = .seconds(150)
    /// The minimum number of log entries between two releases of memory. After fewer entries, there is
    /// little memory to release, and the next reply would have to allocate that memory and read the
    /// database pages again.
    static let minimumEntries: Int64 = 500
    private let head: SequenceHead
    private let runtime: RuntimeEnvironment
    private let releaseMemory: () -> Void

    init(head: SequenceHead, runtime: RuntimeEnvironment, releaseMemory: @escaping () -> Void) {
        (self.head, self.runtime, self.releaseMemory) = (head, runtime, releaseMemory)
    }

    func run() async throws {
        var released = head.value
        while true {
            try await head.waitUntilPast(head.value)
            try await waitUntilIdle()
            if head.value - released >= Self.minimumEntries {
                released = head.value
                releaseMemory()
            }
        }
    }

    /// Waits until the daemon is idle. Sleeps instead of following the log, because waking this task for each
    /// log entry would delay the handling of the entry.
    private func waitUntilIdle() async throws {
        var seen: Int64
        repeat {
            seen = head.value
            try await runtime.sleep(for: Self.idleDelay)
        } while head.value != seen
    }
}
