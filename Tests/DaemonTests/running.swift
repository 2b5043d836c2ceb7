/// Runs `run` while `body` observes it. Returns when both have returned.
@MainActor
func running(
    _ run: @escaping @MainActor () async throws -> Void, while body: @MainActor () async throws -> Void
) async throws {
    // The task group waits for `run` to end. Otherwise, `run` could still process input of the next run.
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await run() }
        defer { group.cancelAll() }
        try await body()
    }
}
