import CLinux
import Glibc
import Runtime

/// A launcher for programs that run detached from the daemon. Never uses a shell.
public struct Launcher: Sendable {
    let environment: [String: String]
    let manager: UserServiceManager?

    /// `environment`: the environment of programs that are not started by a user manager. Variables that
    /// systemd set only for the daemon are removed.
    public init(environment: [String: String]) {
        self.environment = environment.filter { !Self.daemonVariables.contains($0.key) }
        manager = UserServiceManager(environment: environment)
    }

    private static let daemonVariables: Set = [
        "CREDENTIALS_DIRECTORY", "INVOCATION_ID", "JOURNAL_STREAM", "LISTEN_FDNAMES", "LISTEN_FDS",
        "LISTEN_PID", "MAINPID", "MANAGERPID", "MEMORY_PRESSURE_WATCH", "MEMORY_PRESSURE_WRITE",
        "NOTIFY_SOCKET", "SYSTEMD_EXEC_PID", "WATCHDOG_PID", "WATCHDOG_USEC",
    ]

    /// Whether launched programs have a display, from the session or from `environment`.
    public var providesDisplay: Bool { manager?.isAvailable ?? false || environment.hasDisplay }

    /// The destination of a launched program's standard output and standard error.
    public enum Output: Hashable, Sendable {
        /// The output is discarded. An argument may be a secret, such as a link with a token; a program that
        /// fails prints its arguments, and other users may be able to read the journal.
        case discarded
        /// The output goes to this process's standard error, or to the journal if a user manager starts the
        /// program. Only for arguments that contain no secrets.
        case inherited
    }

    /// Starts `arguments` with `additions` to the environment, and waits at most `limit` for an early
    /// failure. A program that is still running after `limit` counts as started. Throws if the program cannot
    /// be started.
    ///
    /// If a user manager is available, `systemd-run --user` starts the program. The program then has the
    /// session's display and runs outside the sandbox of the daemon's unit, and its child processes outlive
    /// it.
    public func launch(
        _ arguments: [String], adding additions: [String: String] = [:], output: Output = .discarded,
        within limit: Duration = .seconds(3)
    ) async throws(SystemFailure) -> Outcome {
        if let manager, manager.isAvailable {
            let child = try DetachedChild(
                manager.startCommand(arguments, adding: additions, output: output),
                environment: environment.merging(manager.address) { $1 }, output: output)
            if let outcome = await child.waitForExit(within: limit) { return outcome }
            // `systemd-run` now only waits for the program, so it can be terminated.
            child.terminate()
            return .running
        }
        let child = try DetachedChild(
            arguments, environment: environment.merging(additions) { $1 }, output: output)
        return await child.waitForExit(within: limit) ?? .running
    }

    public enum Outcome: Hashable, Sendable, CustomStringConvertible {
        /// The program is still running after the limit.
        case running
        case exited(code: Int32)
        case killed(signal: Int32)

        /// Whether the program ran and exited by itself. `systemd-run` exits with 203 if the program could
        /// not be started.
        public var hasExited: Bool {
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

    /// The result of a program that exited.
    public struct Report: Hashable, Sendable {
        public let outcome: Outcome
        /// Whether the program exceeded its time limit.
        public fileprivate(set) var isLate: Bool
        /// The beginning of the standard output and standard error.
        public let output: String
        /// Whether the output is truncated.
        public let isCut: Bool
    }

    /// Runs `arguments` until the program exits, with `input` as standard input, outside the daemon's sandbox
    /// as in `launch`. The program is terminated after `limit` as in `run`.
    public func runHook(
        _ arguments: [String], input: [UInt8], adding additions: [String: String] = [:],
        within limit: Duration, outputLimit: Int = 16 << 10
    ) async throws(SystemFailure) -> Report {
        guard let manager, manager.isAvailable else {
            return try await Self.run(
                arguments, environment: environment.merging(additions) { $1 }, input: input, within: limit,
                outputLimit: outputLimit)
        }
        let started = ContinuousClock.now
        // The user manager enforces the limit; this process only waits for the result.
        var report = try await Self.run(
            manager.runCommand(arguments, adding: additions, within: limit),
            environment: environment.merging(manager.address) { $1 }, input: input,
            within: limit + .seconds(10), outputLimit: outputLimit)
        report.isLate = report.isLate || ContinuousClock.now - started >= limit
        return report
    }

    /// Runs `arguments` until the program exits. After `limit`, the program receives SIGTERM, and later
    /// SIGKILL. If the task is cancelled, the program gets two more seconds. Throws if the program cannot be
    /// started.
    public static func run(
        _ arguments: [String], environment: [String: String], input: [UInt8] = [], within limit: Duration,
        outputLimit: Int
    ) async throws(SystemFailure) -> Report {
        let capture = try OutputCapture(keeping: outputLimit)
        let child: DetachedChild
        do {
            defer { close(capture.writingEnd) }
            let reading = try Descriptor.makeMemoryFile(containing: input)
            child = try DetachedChild(
                arguments, environment: environment, input: reading.number, output: capture.writingEnd)
        }
        async let _: Void = capture.run()
        let (outcome, isLate) = await waitForExit(of: child, within: limit)
        // A grandchild may hold the pipe open. Leaving this scope cancels reading.
        let (bytes, isCut) = capture.finish()
        return Report(
            outcome: outcome, isLate: isLate, output: String(decoding: bytes, as: UTF8.self), isCut: isCut)
    }

    /// Returns the output of a program that succeeds within `limit`; `nil` if it fails or its output exceeds
    /// `outputLimit`. A program that exceeds `limit` is killed without waiting for its exit.
    public static func captureOutput(
        of arguments: [String], environment: [String: String], within limit: Duration,
        outputLimit: Int = 4 << 10
    ) async -> String? {
        guard let capture = try? OutputCapture(keeping: outputLimit) else { return nil }
        let started = {
            defer { close(capture.writingEnd) }
            return try? DetachedChild(arguments, environment: environment, output: capture.writingEnd)
        }
        guard let child = started() else { return nil }
        async let _: Void = capture.run()
        let outcome = await child.waitForExit(within: limit)
        if outcome == nil { child.signalSession(SIGKILL) }
        let (bytes, isCut) = capture.finish()
        guard outcome == .exited(code: 0), !isCut else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Waits for the program even if the task is cancelled, because the next daemon would run an incomplete
    /// hook again.
    private static func waitForExit(
        of child: DetachedChild, within limit: Duration
    ) async -> (outcome: Outcome, isLate: Bool) {
        let waiting: Task<(outcome: Outcome, isLate: Bool), Never> = Task(
            executorPreference: EventLoop.shared
        ) {
            await child.waitForExit(terminatingAfter: limit, grace: .seconds(5))
        }
        return await withTaskCancellationHandler {
            await waiting.value
        } onCancel: {
            EventLoop.shared.after(.seconds(2)) { child.signalSession(SIGKILL) }
        }
    }

    /// The state of a program after the program that started it exited, as with `xdg-open` and `gio open`.
    public enum TrialStart: Hashable, Sendable {
        /// The program outlived its starter and has this environment.
        case outlived(environment: [String: String])
        /// The program was terminated with its starter.
        case ended
        /// No program was started, for this reason.
        case failed(String)
    }

    /// Starts a program that starts a second program and exits. Waits up to eight seconds for the result of
    /// the second program, because two shells are slow on a busy computer.
    public func tryStart() async -> TrialStart {
        do {
            let place = try ResultDirectory(in: environment.nonEmptyValue(named: "XDG_RUNTIME_DIR") ?? "/tmp")
            let outcome = try await launch(["/bin/sh", "-c", Self.starter, place.answer])
            guard outcome.isSuccess else { return .failed("it \(outcome)") }
            let deadline = ContinuousClock.now + .seconds(8)
            repeat {
                if let environment = place.variables { return .outlived(environment: environment) }
                try? await EventLoop.shared.sleep(for: .milliseconds(50))
            } while ContinuousClock.now < deadline
            return .ended
        } catch {
            return .failed("\(error)")
        }
    }

    /// The second program waits until its starter has exited, and then half a second, because a manager that
    /// terminates the second program with its starter does so immediately.
    private static let starter = """
        {
            while kill -0 $$ && [ $((n += 1)) -le 20 ]; do sleep 0.1; done
            sleep 0.5
            env -0 >"$0.part" && mv "$0.part" "$0"
        } </dev/null >/dev/null 2>&1 &
        """
}

/// A temporary directory for the output of the trial program. `deinit` deletes the directory.
private final class ResultDirectory {
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

    /// The environment that the trial program wrote; `nil` if the program has not written its environment
    /// yet.
    var variables: [String: String]? {
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
