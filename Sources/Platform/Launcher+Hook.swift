import Glibc
internal import Threads

extension Launcher {
    /// How a hook ended.
    public struct HookReport: Hashable, Sendable {
        public let outcome: Outcome
        /// Its time was over before it ended by itself.
        public let isLate: Bool
        /// The beginning of what it wrote, on both of its outputs.
        public let output: String
        /// It wrote more than that.
        public let isCut: Bool
    }

    /// Runs `arguments` to their end with `input` as their standard input, out of the daemon's sandbox as
    /// `launch` does. After `limit` they are ended, at first politely. When the task is cancelled they get a
    /// moment. Throws where they cannot be started.
    public func runHook(
        _ arguments: [String], input: [UInt8], adding additions: [String: String] = [:],
        within limit: Duration, keeping outputLimit: Int = 16 << 10
    ) async throws(SystemFailure) -> HookReport {
        let tap = try OutputTap(keeping: outputLimit)
        let child: DetachedChild
        var patience = limit
        do {
            defer { close(tap.writingEnd) }
            let reading = try Descriptor.reading(input)
            var command = arguments
            var environment = environment.merging(additions) { $1 }
            if let manager, manager.answers {
                command = manager.wrapping(arguments, adding: additions, within: limit)
                environment = self.environment.merging(manager.address) { $1 }
                // The manager keeps the time; we only wait for what it says.
                patience += .seconds(10)
            }
            child = try DetachedChild(
                command, environment: environment, input: reading.number, output: tap.writingEnd)
        }
        let started = ContinuousClock.now
        async let _: Void = tap.run()
        let (outcome, isLate) = await Self.end(of: child, within: patience)
        // A program that outlives its parent may never end writing: leaving this scope ends the reading.
        let (bytes, isCut) = tap.end()
        return HookReport(
            outcome: outcome, isLate: isLate || ContinuousClock.now - started >= limit,
            output: String(decoding: bytes, as: UTF8.self), isCut: isCut)
    }

    /// A hook that is nearly done when the daemon ends would else be run again by the next one.
    private static func end(
        of child: DetachedChild, within limit: Duration
    ) async -> (outcome: Outcome, isLate: Bool) {
        let waiting: Task<(outcome: Outcome, isLate: Bool), Never> = Task(
            executorPreference: EventLoop.shared
        ) {
            await child.outcome(endingAfter: limit, grace: .seconds(5))
        }
        return await withTaskCancellationHandler {
            await waiting.value
        } onCancel: {
            EventLoop.shared.after(.seconds(2)) { child.signalSession(SIGKILL) }
        }
    }
}
