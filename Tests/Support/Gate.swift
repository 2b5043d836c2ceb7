import Dispatch

/// Lets the thread of a server's script wait for the test.
public final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    public init() {}

    /// Lets one pass, now or later.
    public func open() { semaphore.signal() }

    /// Bounded, so that a failing test ends.
    public func wait() { _ = semaphore.wait(timeout: .now() + .seconds(Int(hangLimit.components.seconds))) }

    /// Waits until it is opened for the first time; from then on everybody passes.
    public func pass() {
        wait()
        open()
    }

    /// Lets the test wait for the thread of a server's script.
    public final class Asynchronous: Sendable {
        private let stream = AsyncStream.makeStream(of: Void.self)

        public init() {}

        public func open() { stream.continuation.finish() }

        public func wait() async {
            for await _ in stream.stream {}
        }
    }
}
