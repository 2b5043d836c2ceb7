/// Units of the person, started by the user manager of the session.
public struct UserUnits: Sendable {
    private let environment: [String: String]
    private let manager: UserManager?
    private let systemctl: String

    /// `systemctl`: the program of systemd's that is asked.
    public init(environment: [String: String], systemctl: String = "systemctl") {
        self.systemctl = systemctl
        manager = UserManager(environment: environment)
        self.environment = environment.merging(manager?.address ?? [:]) { $1 }
    }

    /// Whether there is a manager that answers.
    public var areManaged: Bool { manager?.answers ?? false }

    /// Has `units` started now and with each login. Waits until they are ready.
    public func enableAndStart(_ units: [String]) async throws(Failure) {
        try await run(["enable", "--now"] + units)
    }

    /// Starts `units`, and waits until they are ready.
    public func start(_ units: [String]) async throws(Failure) { try await run(["start"] + units) }

    /// The manager itself gives a unit that does not become ready 90 s.
    private static let limit = Duration.seconds(100)

    private func run(_ arguments: [String]) async throws(Failure) {
        guard areManaged else { throw .noManager }
        let report: Launcher.Report
        do throws(SystemFailure) {
            report = try await Launcher.run(
                [systemctl, "--user"] + arguments, environment: environment, within: Self.limit,
                keeping: 4096)
        } catch { throw .notRun(error) }
        guard report.outcome.isSuccess, !report.isLate else { throw .refused(Self.reason(in: report.output)) }
    }

    /// Why it failed comes first, then where to read more; before it are the links that were made.
    private static func reason(in output: String) -> String {
        let lines = output.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("Created symlink") }
        return lines.first.map(String.init) ?? ""
    }

    public enum Failure: Error, Hashable, Sendable {
        /// No user manager answers in this session.
        case noManager
        /// There is no systemctl, or it cannot be started.
        case notRun(SystemFailure)
        /// What the manager said; may be empty.
        case refused(String)
    }
}
