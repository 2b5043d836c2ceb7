package import Logging
import Store

/// Runs `body`; where `rival` is done first, it is cancelled and nil is returned.
package func race<Value: Sendable>(
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
package func race(_ bodies: (@MainActor () async throws -> Void)...) async throws { try await race(bodies) }

package func race(_ bodies: [@MainActor () async throws -> Void]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for body in bodies { group.addTask { try await body() } }
        defer { group.cancelAll() }
        try await group.next()
    }
}

/// Runs `body` again after the store could not be used: a full disk may have room later, a lock may go.
/// What was not written was not taken either: it comes again from the API.
package func enduring(
    _ what: String, _ surroundings: Surroundings, _ logger: Logger, _ body: @MainActor () async throws -> Void
) async throws {
    while true {
        do {
            return try await body()
        } catch let error as StoreError {
            logger.error("the store fails; trying again", metadata: ["in": "\(what)", "reason": "\(error)"])
            try await surroundings.sleep(.seconds(5))
        }
    }
}
