import CLinux
import Glibc
import Runtime

/// A launcher of programs, without a shell. The programs run detached from the daemon.
public struct Launcher: Sendable {
    let environment: [String: String]
    let manager: UserServiceManager?

    /// Creates a launcher.
    ///
    /// - Parameter environment: the environment of programs that this process starts itself. Variables that
    ///   systemd sets only for the daemon are removed.
    public init(environment: [String: String]) {
        self.environment = environment.filter { !Self.daemonVariables.contains($0.key) }
        manager = UserServiceManager(environment: environment)
    }

    private static let daemonVariables: Set = [
        "CREDENTIALS_DIRECTORY", "INVOCATION_ID", "JOURNAL_STREAM", "LISTEN_FDNAMES", "LISTEN_FDS",
        "LISTEN_PID", "MAINPID", "MANAGERPID", "MEMORY_PRESSURE_WATCH", "MEMORY_PRESSURE_WRITE",
        "NOTIFY_SOCKET", "SYSTEMD_EXEC_PID", "WATCHDOG_PID", "WATCHDOG_USEC",
    ]

    /// Whether launched programs can connect to a display: through the user manager, or through a display
    /// variable in `environment`.
    public var providesDisplay: Bool { manager?.isAvailable ?? false || environment.hasDisplay }

    /// The destination of a launched program's standard output and standard error.
    public enum Output: Hashable, Sendable {
        /// The output is discarded. This destination is required if an argument is secret (such as a link
        /// with a token): a failing program may print its arguments, and other users may be able to read the
        /// journal.
        case discarded
        /// The output goes to the standard error of this process, or to the journal if a user manager starts
        /// the program. This destination must not be used if an argument is secret.
        case inherited
    }

    /// Starts `arguments` with `additions` to the environment, and waits up to `limit` for an early exit. If
    /// the program is still running after `limit`, returns `running`. Throws if the program cannot be
    /// started.
    ///
    /// If a user manager is available, `systemd-run --user` starts the program. The program can then use the
    /// display of the session, is not restricted by the sandbox of the daemon's unit, and may leave child
    /// processes running.
    public func launch(
        _ arguments: [String], addingVariables additions: [String: String] = [:], output: Output = .discarded,
        within limit: Duration = .seconds(3)
    ) async throws(SystemFailure) -> Outcome {
        if let manager, manager.isAvailable {
            let child = try DetachedChild(
                manager.makeStartCommand(for: arguments, addingVariables: additions, output: output),
                environment: environment.merging(manager.address) { $1 }, output: output)
            if let outcome = await child.waitForExit(within: limit) { return outcome }
            // Terminate `systemd-run`, which now only waits for the program to exit. The program continues to
            // run.
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

        /// Whether the program exited normally. Exit code 203 means that `systemd-run` could not start the
        /// program.
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
        /// The combined standard output and standard error, possibly truncated.
        public let output: String
        public let isTruncated: Bool
    }

    /// Runs `arguments` with `input` as standard input, and waits for the exit. Like `launch`, runs the
    /// program outside the daemon's sandbox. Like `run`, terminates the program after `limit`.
    public func runHook(
        _ arguments: [String], input: [UInt8], addingVariables additions: [String: String] = [:],
        within limit: Duration, outputLimit: Int = 16 << 10
    ) async throws(SystemFailure) -> Report {
        guard let manager, manager.isAvailable else {
            return try await Self.run(
                arguments, environment: environment.merging(additions) { $1 }, input: input, within: limit,
                outputLimit: outputLimit)
        }
        let started = ContinuousClock.now
        // The user manager enforces `limit`. The longer limit here only applies if the user manager fails.
        var report = try await Self.run(
            manager.makeRunCommand(for: arguments, addingVariables: additions, within: limit),
            environment: environment.merging(manager.address) { $1 }, input: input,
            within: limit + .seconds(10), outputLimit: outputLimit)
        report.isLate = report.isLate || ContinuousClock.now - started >= limit
        return report
    }

    /// Runs `arguments` and waits for the exit. Sends SIGTERM after `limit`, and SIGKILL 5 s later. If the
    /// task is cancelled, sends SIGKILL after 2 s. Throws if the program cannot be started.
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
        async let _: Void = capture.readToEnd()
        let (outcome, isLate) = await waitForExit(of: child, within: limit)
        // Do not wait for the end of the output, because a grandchild may keep the pipe open. Leaving this
        // scope cancels `capture.readToEnd`.
        let (bytes, isTruncated) = capture.collectOutput()
        return Report(
            outcome: outcome, isLate: isLate, output: String(decoding: bytes, as: UTF8.self),
            isTruncated: isTruncated)
    }

    /// Runs a program and returns its output. Returns `nil` if the program fails, exceeds `limit`, or writes
    /// more than `outputLimit` bytes. A program that exceeds `limit` is killed.
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
        async let _: Void = capture.readToEnd()
        let outcome = await child.waitForExit(within: limit)
        if outcome == nil { child.signalSession(with: SIGKILL) }
        let (bytes, isTruncated) = capture.collectOutput()
        guard outcome == .exited(code: 0), !isTruncated else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Waits for the program even if the task is cancelled, because the next run of the daemon would repeat
    /// an incomplete hook.
    private static func waitForExit(
        of child: DetachedChild, within limit: Duration
    ) async -> (outcome: Outcome, isLate: Bool) {
        let waiting: Task<(outcome: Outcome, isLate: Bool), Never> = Task(
            executorPreference: EventLoop.shared
        ) {
            await child.waitForExit(terminatingAfter: limit, gracePeriod: .seconds(5))
        }
        return await withTaskCancellationHandler {
            await waiting.value
        } onCancel: {
            EventLoop.shared.perform(after: .seconds(2)) { child.signalSession(with: SIGKILL) }
        }
    }

    /// The result of `testDetachedStart`: whether a program keeps running after its parent process has
    /// exited. `xdg-open` and `gio open` rely on this behavior.
    public enum DetachedStartResult: Hashable, Sendable {
        /// The second program kept running. `environment` is its environment.
        case outlived(environment: [String: String])
        /// The second program was terminated when the first program exited.
        case ended
        /// The first program could not be started. The value is the reason.
        case failed(String)
    }

    /// Starts a program that starts a second program and exits. Waits up to 8 s for the result of the second
    /// program, because starting two shells is slow on a busy computer.
    public func testDetachedStart() async -> DetachedStartResult {
        do {
            let place = try ResultDirectory(in: environment.nonEmptyValue(named: "XDG_RUNTIME_DIR") ?? "/tmp")
            let outcome = try await launch(["/bin/sh", "-c", Self.starter, place.resultPath])
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

    /// A shell script that starts the second program. The second program waits until the first program has
    /// exited, and then for another 0.5 s, so that the user manager has time to terminate the second program.
    private static let starter = """
        {
            while kill -0 $$ && [ $((n += 1)) -le 20 ]; do sleep 0.1; done
            sleep 0.5
            env -0 >"$0.part" && mv "$0.part" "$0"
        } </dev/null >/dev/null 2>&1 &
        """
}

/// A temporary directory for the result of the second program. `deinit` deletes the directory.
private final class ResultDirectory {
    private let directory: String

    init(in parent: String) throws(SystemFailure) {
        var template = Array((parent + "/cutied-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else { throw SystemFailure("make a directory in \(parent)") }
        directory = String(cString: made)
    }

    deinit {
        for name in [resultPath, resultPath + ".part", directory] { remove(name) }
    }

    var resultPath: String { directory + "/answer" }

    /// The environment that the second program wrote; `nil` if it has not written the file yet.
    var variables: [String: String]? {
        guard let bytes = try? SmallFile.read(resultPath, sizeLimit: 1 << 20) else { return nil }
        let pairs = bytes.split(separator: 0).compactMap { entry -> (String, String)? in
            let parts = entry.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            return (String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self))
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
