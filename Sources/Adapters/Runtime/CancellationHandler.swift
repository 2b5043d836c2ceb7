/// Runs `operation`, and calls `onCancel` as soon as the task is cancelled.
///
/// `operation` runs on the actor of the caller. `withTaskCancellationHandler` would run the closure of a
/// nonisolated function on the global executor, and each change of the executor adds a job to the loop.
public func withCancellationHandler<Value>(
    isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Value,
    onCancel: @Sendable () -> Void
) async rethrows -> Value {
    try await withTaskCancellationHandler {
        // A closure runs on the actor of `isolation` only if it captures `isolation`.
        _ = isolation
        return try await operation()
    } onCancel: {
        onCancel()
    }
}
