import Dispatch

/// A gate that blocks the thread of a server script until the test opens the gate.
public final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    public init() {}

    /// Resumes one waiting thread, or the next thread that waits.
    public func open() { semaphore.signal() }

    /// Waits until the gate is opened, but at most `defaultTimeLimit`, so that a failing test does not hang.
    public func wait() {
        _ = semaphore.wait(timeout: .now() + .seconds(Int(defaultTimeLimit.components.seconds)))
    }

    /// Waits until the gate is opened, and leaves the gate open for other threads.
    public func pass() {
        wait()
        open()
    }

    /// A gate that suspends the test until a server script opens the gate.
    public final class Asynchronous: Sendable {
        private let stream = AsyncStream.makeStream(of: Void.self)

        public init() {}

        public func open() { stream.continuation.finish() }

        public func wait() async {
            for await _ in stream.stream {}
        }
    }
}
