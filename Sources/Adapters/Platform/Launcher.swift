import CLinux
import Glibc

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

    /// Starts `arguments` with `additions` to the environment and waits at most `limit` for an early failure;
    /// a program that runs on has done well so far. Throws where it cannot be started.
    ///
    /// Through `systemd-run --user` where a manager answers: the program then has the session's display, is
    /// outside the sandbox of the daemon's unit, and what it starts outlives it.
    public func launch(
        _ arguments: [String], adding additions: [String: String] = [:], within limit: Duration = .seconds(3)
    ) async throws(SystemFailure) -> Outcome {
        if let manager, manager.answers {
            let child = try DetachedChild(
                manager.starting(arguments, adding: additions),
                environment: environment.merging(manager.address) { $1 })
            if let outcome = await child.outcome(within: limit) { return outcome }
            // It only watches the program, and would do so for as long as that runs.
            child.terminate()
            return .running
        }
        let child = try DetachedChild(arguments, environment: environment.merging(additions) { $1 })
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
}
