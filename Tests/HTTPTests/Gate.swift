import Foundation
import Synchronization

/// Lets the thread of a server's script wait for the test.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    /// Bounded, so that a failing test ends.
    func wait() { _ = semaphore.wait(timeout: .now() + 30) }

    /// Lets the test wait for the thread of a server's script.
    final class Asynchronous: Sendable {
        private let stream = AsyncStream.makeStream(of: Void.self)

        func open() { stream.continuation.finish() }

        func wait() async {
            for await _ in stream.stream {}
        }
    }
}
