import Log

/// Gives back what a while of work took once nothing has happened for minutes: free heap, cached pages of the
/// database, and code, which the next reply then has to map again. It wakes nobody who has been idle for longer.
final class IdleMemory {
    /// So long nothing has to happen: once at least, and less than twice that, after the last event.
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

    /// Events are not waited for meanwhile: each of them would be slower for it.
    private func waitForRest() async throws {
        var seen: Int64
        repeat {
            seen = head.value
            try await surroundings.sleep(Self.pause)
        } while head.value != seen
    }
}
