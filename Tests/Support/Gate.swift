import Dispatch

/// A gate that blocks the thread of a server script until the test opens the gate.
public final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    public init() {}

    /// Lets one waiting thread, or the next thread that waits, pass.
    public func open() { semaphore.signal() }

    /// Waits with a timeout, so that a failing test ends.
    public func wait() { _ = semaphore.wait(timeout: .now() + .seconds(Int(hangLimit.components.seconds))) }

    /// Waits until the gate is opened for the first time, and leaves it open.
    public func pass() {
        wait()
        open()
    }

    /// A gate at which the test waits for a server script.
    public final class Asynchronous: Sendable {
        private let stream = AsyncStream.makeStream(of: Void.self)

        public init() {}

        public func open() { stream.continuation.finish() }

        public func wait() async {
            for await _ in stream.stream {}
        }
    }
}
