/// Runs `run` while `body` looks at what it does, and returns when both have ended.
@MainActor
func running(
    _ run: @escaping @MainActor () async throws -> Void, while body: @MainActor () async throws -> Void
) async throws {
    // The group waits: one that has not ended yet would take what comes next.
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await run() }
        defer { group.cancelAll() }
        try await body()
    }
}
