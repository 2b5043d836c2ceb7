import Runtime
import TestSupport
import Testing

/// Tests of `withCancellationHandler`.
struct CancellationHandlerTests {
    @Test func `The operation of a nonisolated function runs on the actor of the caller`() async {
        await #expect(processExitsWith: .success) { await Self.runOnMainActor() }
    }

    @Test func `If the task is cancelled, the handler is called while the operation runs`() async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let task = Task {
            await withCancellationHandler {
                for await _ in stream {}
            } onCancel: {
                continuation.finish()
            }
        }
        task.cancel()
        await task.value
    }

    @MainActor private static func runOnMainActor() async { await checkActor() }

    /// Exits with an error if the operation does not run on the main actor.
    private nonisolated(nonsending) static func checkActor() async {
        await withCancellationHandler {
            MainActor.preconditionIsolated()
        } onCancel: {
        }
    }
}
