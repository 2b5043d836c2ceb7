/// Lets one in at a time; the others wait.
final class Turn {
    private var isTaken = false
    private let freed = Head()

    func alone<Value>(_ body: () async throws -> Value) async throws -> Value {
        while isTaken { try await freed.passed(freed.value) }
        isTaken = true
        defer {
            isTaken = false
            freed.advance()
        }
        return try await body()
    }
}
