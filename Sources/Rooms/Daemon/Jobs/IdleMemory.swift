import Log

/// Returns free heap memory and cached database pages to the system after some idle minutes. While the daemon
/// stays idle, no timer runs.
final class IdleMemory {
    /// The length of the idle period that is checked. The memory is returned between one and two such periods
    /// after the last event.
    static let pause: Duration = .seconds(150)
    private let head: Head
    private let surroundings: Surroundings
    private let giveBack: () -> Void

    init(head: Head, surroundings: Surroundings, giveBack: @escaping () -> Void) {
        (self.head, self.surroundings, self.giveBack) = (head, surroundings, giveBack)
    }

    func run() async throws {
        while true {
            try await waitForRest()
            giveBack()
            try await head.passed(head.value)
        }
    }

    /// Sleeps instead of following the log, because a wake-up would delay each event.
    private func waitForRest() async throws {
        var seen: Int64
        repeat {
            seen = head.value
            try await surroundings.sleep(Self.pause)
        } while head.value != seen
    }
}
