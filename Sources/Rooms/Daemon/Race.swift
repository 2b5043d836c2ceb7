/// Runs `body`; where `rival` is done first, it is cancelled and nil is returned.
func race<Value: Sendable>(
    _ body: @escaping @MainActor () async throws -> Value,
    against rival: @escaping @MainActor () async throws -> Void
) async throws -> Value? {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await rival()
            return nil
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
    }
}

/// Runs `bodies` side by side; when one is done the others are cancelled and waited for.
func race(_ bodies: (@MainActor () async throws -> Void)...) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for body in bodies { group.addTask { try await body() } }
        defer { group.cancelAll() }
        try await group.next()
    }
}
