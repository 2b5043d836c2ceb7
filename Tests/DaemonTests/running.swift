/// Runs `run` in the background while `body` runs. Returns after `run` and `body` have ended.
@MainActor
func running(
    _ run: @escaping @MainActor () async throws -> Void, while body: @MainActor () async throws -> Void
) async throws {
    // Waits for the cancelled `run` to end. Otherwise, `run` could process input that the next run must
    // process.
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await run() }
        defer { group.cancelAll() }
        try await body()
    }
}
