/// A manager of the user's systemd units, which runs `systemctl --user`.
public struct UserUnits: Sendable {
    private let environment: [String: String]
    private let manager: UserServiceManager?
    private let systemctl: String

    /// Creates the manager of the units.
    ///
    /// - Parameter systemctl: the name or path of the program `systemctl`.
    public init(environment: [String: String], systemctl: String = "systemctl") {
        self.systemctl = systemctl
        manager = UserServiceManager(environment: environment)
        self.environment = environment.merging(manager?.address ?? [:]) { $1 }
    }

    /// Whether a user manager is available.
    public var areManaged: Bool { manager?.isAvailable ?? false }

    /// Enables `units`, starts them, and waits until they are ready.
    public func enableAndStart(_ units: [String]) async throws(UnitFailure) {
        try await runSystemctl(["enable", "--now"] + units)
    }

    /// Disables `units` and stops them.
    public func disableAndStop(_ units: [String]) async throws(UnitFailure) {
        try await runSystemctl(["disable", "--now"] + units)
    }

    /// Returns whether `unit` starts automatically with its session; `nil` if the unit is not installed or no
    /// user manager is available.
    public func isEnabled(_ unit: String) async -> Bool? {
        guard areManaged else { return nil }
        let report = try? await Launcher.run(
            [systemctl, "--user", "is-enabled", unit], environment: environment, within: .seconds(5),
            outputLimit: 4096)
        return switch report?.output.split(whereSeparator: \.isNewline).last {
        case "enabled", "enabled-runtime": true
        case "disabled": false
        default: nil
        }
    }

    /// Starts `units` and waits until they are ready.
    public func start(_ units: [String]) async throws(UnitFailure) {
        try await runSystemctl(["start"] + units)
    }

    /// The time limit for systemctl. The limit must exceed 90 s, the time for which the user manager waits
    /// for a unit to become ready.
    private static let limit = Duration.seconds(100)

    private func runSystemctl(_ arguments: [String]) async throws(UnitFailure) {
        guard areManaged else { throw .noManager }
        let report: Launcher.Report
        do throws(SystemFailure) {
            report = try await Launcher.run(
                [systemctl, "--user"] + arguments, environment: environment, within: Self.limit,
                outputLimit: 4096)
        } catch { throw .notRun(error) }
        guard report.outcome.isSuccess, !report.isLate else {
            throw .refused(Self.parseReason(in: report.output))
        }
    }

    /// Extracts the reason for a failure from the output of systemctl: the first line, which precedes the
    /// hint to read the journal. Ignores lines about created symbolic links.
    private static func parseReason(in output: String) -> String {
        let lines = output.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("Created symlink") }
        return lines.first.map(String.init) ?? ""
    }

    public enum UnitFailure: Error, Hashable, Sendable {
        /// The session has no user manager.
        case noManager
        /// systemctl is missing or cannot be started.
        case notRun(SystemFailure)
        /// The user manager reported an error. The message may be empty.
        case refused(String)
    }
}
