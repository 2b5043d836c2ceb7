package import Logging
import Store

/// Runs `body` and `otherBody` concurrently.
///
/// - Returns: the result of `body`; `nil` if `otherBody` finished first, which cancels `body`.
package func race<Value: Sendable>(
    _ body: @escaping @MainActor () async throws -> Value,
    against otherBody: @escaping @MainActor () async throws -> Void
) async throws -> Value? {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await otherBody()
            return nil
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
    }
}

/// Runs `bodies` concurrently. When a body finishes, the others are cancelled and awaited.
package func race(_ bodies: (@MainActor () async throws -> Void)...) async throws { try await race(bodies) }

/// Runs `bodies` concurrently. When a body finishes, the others are cancelled and awaited.
package func race(_ bodies: [@MainActor () async throws -> Void]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for body in bodies { group.addTask { try await body() } }
        defer { group.cancelAll() }
        try await group.next()
    }
}

/// Runs `body`, and retries after errors of the store: a full disk or a lock may be temporary. Changes that
/// were not written are fetched from the API again.
package func retryOnStoreErrors(
    operation: String, runtime: RuntimeEnvironment, logger: Logger,
    _ body: @MainActor () async throws -> Void
) async throws {
    while true {
        do {
            return try await body()
        } catch let error as StoreError {
            logger.error(
                "the store failed; retrying", metadata: ["in": "\(operation)", "reason": "\(error)"])
            try await runtime.sleep(for: .seconds(5))
        }
    }
}
