/// Runs `run` in the background while `body` runs. Returns after both have ended.
@MainActor
func running(
    _ run: @escaping @MainActor () async throws -> Void, while body: @MainActor () async throws -> Void
) async throws {
    // Waits for the cancelled `run` to end. Otherwise, it could still process input that belongs to the next
    // run.
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await run() }
        defer { group.cancelAll() }
        try await body()
    }
}
