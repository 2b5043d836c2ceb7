import CLinux
// Links libdispatch, which the main queue's two calls are in.
import Dispatch
import Glibc

extension EventLoop {
    /// Runs `body` as the program: on the main actor, its tasks and their children on this loop, which the
    /// main thread runs. The process ends with the exit code that `body` returns.
    public func runProgram(_ body: @escaping @MainActor @Sendable () async -> Int32) -> Never {
        precondition(claim(), "the event loop was used before the program began")
        Task { @MainActor in
            let code = await withTaskExecutorPreference(self) { await body() }
            exit(code)
        }
        run(mainQueue: MainQueue())
    }
}

/// The queue that runs the main actor, served by our loop instead of `dispatchMain`, which would hand it to
/// threads that come and go. The two calls are those by which CoreFoundation's run loop does the same.
struct MainQueue {
    let descriptor = clinux_main_queue_descriptor()

    /// Runs what is in the queue.
    func drain() {
        Poller.silence(descriptor)
        clinux_drain_main_queue()
    }
}
