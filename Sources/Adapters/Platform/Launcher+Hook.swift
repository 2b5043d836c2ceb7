import Glibc
internal import Threads

extension Launcher {
    /// How a program ended that was waited for.
    public struct Report: Hashable, Sendable {
        public let outcome: Outcome
        /// Its time was over before it ended by itself.
        public fileprivate(set) var isLate: Bool
        /// The beginning of what it wrote, on both of its outputs.
        public let output: String
        /// It wrote more than that.
        public let isCut: Bool
    }

    /// Runs `arguments` to their end with `input` as their standard input, out of the daemon's sandbox as
    /// `launch` does, and ends them after `limit` as `run` does.
    public func runHook(
        _ arguments: [String], input: [UInt8], adding additions: [String: String] = [:],
        within limit: Duration, keeping outputLimit: Int = 16 << 10
    ) async throws(SystemFailure) -> Report {
        guard let manager, manager.answers else {
            return try await Self.run(
                arguments, environment: environment.merging(additions) { $1 }, input: input, within: limit,
                keeping: outputLimit)
        }
        let started = ContinuousClock.now
        // The manager keeps the time; we only wait for what it says.
        var report = try await Self.run(
            manager.running(arguments, adding: additions, within: limit),
            environment: environment.merging(manager.address) { $1 }, input: input,
            within: limit + .seconds(10), keeping: outputLimit)
        report.isLate = report.isLate || ContinuousClock.now - started >= limit
        return report
    }

    /// Runs `arguments` to their end. After `limit` they are ended, at first politely. When the task is
    /// cancelled they get a moment. Throws where they cannot be started.
    public static func run(
        _ arguments: [String], environment: [String: String], input: [UInt8] = [], within limit: Duration,
        keeping outputLimit: Int
    ) async throws(SystemFailure) -> Report {
        let tap = try OutputTap(keeping: outputLimit)
        let child: DetachedChild
        do {
            defer { close(tap.writingEnd) }
            let reading = try Descriptor.reading(input)
            child = try DetachedChild(
                arguments, environment: environment, input: reading.number, output: tap.writingEnd)
        }
        async let _: Void = tap.run()
        let (outcome, isLate) = await end(of: child, within: limit)
        // A program that outlives its parent may never end writing: leaving this scope ends the reading.
        let (bytes, isCut) = tap.end()
        return Report(
            outcome: outcome, isLate: isLate, output: String(decoding: bytes, as: UTF8.self), isCut: isCut)
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
