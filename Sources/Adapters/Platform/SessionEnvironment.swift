import Glibc

/// What the user manager gives to the programs that it starts: of the session, as far as that has told it. A
/// service that was started before the session has an older one.
public struct SessionEnvironment: Sendable {
    private let environment: [String: String]

    /// nil where `environment` is not that of a program which the user manager has started: then it is the session's
    /// own.
    public init?(environment: [String: String]) {
        // Programs that a service starts inherit the variable, but not the number.
        guard environment["SYSTEMD_EXEC_PID"] == String(getpid()),
            UserManager(environment: environment)?.answers == true
        else { return nil }
        self.environment = environment
    }

    /// The variables as they are now, without those whose values hold more than a shell takes unquoted; nil where
    /// the manager does not answer.
    public func variables() async -> [String: String]? {
        let report = try? await Launcher.run(
            ["systemctl", "--user", "show-environment"], environment: environment, within: .seconds(2),
            keeping: 1 << 20)
        guard let report, report.outcome == .exited(code: 0), !report.isCut else { return nil }
        return Self.variables(listed: report.output)
    }

    static func variables(listed text: String) -> [String: String] {
        let pairs = text.split(whereSeparator: \.isNewline).compactMap { line -> (String, String)? in
            guard let sign = line.firstIndex(of: "="), !line[sign...].hasPrefix("=$'") else { return nil }
            return (String(line[..<sign]), String(line[line.index(after: sign)...]))
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
