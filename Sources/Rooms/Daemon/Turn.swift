/// Lets one in at a time; the others wait.
final class Turn {
    private(set) var isTaken = false
    private let freed = Head()

    func alone<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await take()
        defer { give() }
        return try await body()
    }

    /// Waits for the turn; `give` ends it. Throws when the task is cancelled before.
    func take() async throws(CancellationError) {
        while isTaken {
            do { try await freed.passed(freed.value) } catch { throw CancellationError() }
        }
        isTaken = true
    }

    func give() {
        isTaken = false
        freed.advance()
    }
}
