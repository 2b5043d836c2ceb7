import CLinux
import Glibc
import Threads

/// Starts programs for the person: detached from the daemon, and never through a shell.
public struct Launcher: Sendable {
    let environment: [String: String]
    let manager: UserManager?

    /// `environment` is what a program gets that no user manager starts, but for what the manager of services
    /// said to the daemon alone.
    public init(environment: [String: String]) {
        self.environment = environment.filter { !Self.ours.contains($0.key) }
        manager = UserManager(environment: environment)
    }

    private static let ours: Set = [
        "CREDENTIALS_DIRECTORY", "INVOCATION_ID", "JOURNAL_STREAM", "LISTEN_FDNAMES", "LISTEN_FDS",
        "LISTEN_PID", "MAINPID", "MANAGERPID", "MEMORY_PRESSURE_WATCH", "MEMORY_PRESSURE_WRITE",
        "NOTIFY_SOCKET", "SYSTEMD_EXEC_PID", "WATCHDOG_PID", "WATCHDOG_USEC",
    ]

    /// Whether what is started has a screen to show something on: the session's, or that of `environment`.
    public var givesScreen: Bool { manager?.answers ?? false || environment.hasDisplay }

    /// The destination of what a launched program writes to standard output and standard error.
    public enum Output: Hashable, Sendable {
        /// Nowhere. An argument may be a secret, such as a link with a token, and a program that fails prints its
        /// arguments: in the journal, other people could read them.
        case discarded
        /// This process's standard error, or the journal if a user manager starts the program. Only for arguments
        /// that are no secret.
        case inherited
    }

    /// Starts `arguments` with `additions` to the environment and waits at most `limit` for an early failure. A
    /// program that still runs then counts as started. Throws if it cannot be started.
    ///
    /// If a user manager answers, `systemd-run --user` starts the program: it then has the session's display, is
    /// outside the sandbox of the daemon's unit, and what it starts outlives it.
    public func launch(
        _ arguments: [String], adding additions: [String: String] = [:], output: Output = .discarded,
        within limit: Duration = .seconds(3)
    ) async throws(SystemFailure) -> Outcome {
        if let manager, manager.answers {
            let child = try DetachedChild(
                manager.starting(arguments, adding: additions, output: output),
                environment: environment.merging(manager.address) { $1 }, output: output)
            if let outcome = await child.outcome(within: limit) { return outcome }
            // It only watches the program, and would do so for as long as that runs.
            child.terminate()
            return .running
        }
        let child = try DetachedChild(
            arguments, environment: environment.merging(additions) { $1 }, output: output)
        return await child.outcome(within: limit) ?? .running
    }

    public enum Outcome: Hashable, Sendable, CustomStringConvertible {
        /// Still runs after the limit.
        case running
        case exited(code: Int32)
        case killed(signal: Int32)

        /// Whether the program itself came to an end: 203 is the user manager's, for one that it cannot start.
        public var hasRun: Bool {
            if case .exited(let code) = self { code != 203 } else { false }
        }

        public var isSuccess: Bool { self == .running || self == .exited(code: 0) }

        public var description: String {
            switch self {
            case .running: "still runs"
            case .exited(let code): "ended with code \(code)"
            case .killed(let signal): "was ended by signal \(signal)"
            }
        }
    }

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
        let capture = try OutputCapture(keeping: outputLimit)
        let child: DetachedChild
        do {
            defer { close(capture.writingEnd) }
            let reading = try Descriptor.reading(input)
            child = try DetachedChild(
                arguments, environment: environment, input: reading.number, output: capture.writingEnd)
        }
        async let _: Void = capture.run()
        let (outcome, isLate) = await end(of: child, within: limit)
        // A program that outlives its parent may never end writing: leaving this scope ends the reading.
        let (bytes, isCut) = capture.end()
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

    /// What became of a program whose starter has exited, as `xdg-open` and `gio open` exit.
    public enum TrialStart: Hashable, Sendable {
        /// It lived on, with this environment.
        case outlived(environment: [String: String])
        /// It ended with its starter.
        case ended
        /// Nothing was started; why.
        case failed(String)
    }

    /// Starts a program as `launch` does, which starts another one and exits, and listens for eight seconds at
    /// most what that one tells: on a busy machine two shells take their time.
    public func trialStart() async -> TrialStart {
        do {
            let place = try AnswerDirectory(in: environment.value(of: "XDG_RUNTIME_DIR") ?? "/tmp")
            let outcome = try await launch(["/bin/sh", "-c", Self.starter, place.answer])
            guard outcome.isSuccess else { return .failed("it \(outcome)") }
            let deadline = ContinuousClock.now + .seconds(8)
            repeat {
                if let environment = place.told { return .outlived(environment: environment) }
                try? await EventLoop.shared.sleep(for: .milliseconds(50))
            } while ContinuousClock.now < deadline
            return .ended
        } catch {
            return .failed("\(error)")
        }
    }

    /// The other one waits for the end of its starter, and a moment longer: whoever ends it with that does so
    /// right then.
    private static let starter = """
        {
            while kill -0 $$ && [ $((n += 1)) -le 20 ]; do sleep 0.1; done
            sleep 0.5
            env -0 >"$0.part" && mv "$0.part" "$0"
        } </dev/null >/dev/null 2>&1 &
        """
}

/// A directory for the answer, which goes with the value.
private final class AnswerDirectory {
    private let directory: String

    init(in parent: String) throws(SystemFailure) {
        var template = Array((parent + "/cutied-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else { throw SystemFailure("make a directory in \(parent)") }
        directory = String(cString: made)
    }

    deinit {
        for name in [answer, answer + ".part", directory] { remove(name) }
    }

    var answer: String { directory + "/answer" }

    /// nil until it is there.
    var told: [String: String]? {
        guard let bytes = try? SmallFile.read(answer, limit: 1 << 20) else { return nil }
        let pairs = bytes.split(separator: 0).compactMap { entry -> (String, String)? in
            let parts = entry.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            return (String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self))
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
