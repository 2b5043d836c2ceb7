import EventLog

/// Returns free heap memory and cached database pages to the system after some idle minutes. While the daemon
/// stays idle, no timer runs.
final class IdleMemoryTrimmer {
    /// The length of the idle period that is checked. The memory is returned between one and two such periods
    /// after the last event.
    static let idleDelay: Duration = .seconds(150)
    private let head: SequenceHead
    private let surroundings: RuntimeEnvironment
    private let releaseMemory: () -> Void

    init(head: SequenceHead, surroundings: RuntimeEnvironment, releaseMemory: @escaping () -> Void) {
        (self.head, self.surroundings, self.releaseMemory) = (head, surroundings, releaseMemory)
    }

    func run() async throws {
        while true {
            try await waitUntilIdle()
            releaseMemory()
            try await head.waitUntilPast(head.value)
        }
    }

    /// Sleeps instead of following the log, because a wake-up would delay each event.
    private func waitUntilIdle() async throws {
        var seen: Int64
        repeat {
            seen = head.value
            try await surroundings.sleep(Self.idleDelay)
        } while head.value != seen
    }
}
