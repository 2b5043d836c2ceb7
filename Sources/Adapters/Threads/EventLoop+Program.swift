import Glibc

extension EventLoop {
    /// Runs `body` as the program: on the main actor, its tasks and their children on this loop, which the
    /// main thread runs. The process ends with the exit code that `body` returns.
    public func runProgram(_ body: @escaping @MainActor @Sendable () async -> Int32) -> Never {
        precondition(claim(), "the event loop was used before the program began")
        MainThread.takeMainActor()
        Task { @MainActor in
            let code = await withTaskExecutorPreference(self) { await body() }
            exit(code)
        }
        run()
    }
}
