import Glibc

/// The environment of the user manager. The user manager has the variables of the current session, while a
/// service that started before the session has outdated variables.
public struct SessionEnvironment: Sendable {
    private let environment: [String: String]

    /// Returns `nil` if the user manager did not start this process, because `environment` is then already
    /// the environment of the session.
    public init?(environment: [String: String]) {
        // Compare the process ID, because the child processes of a service inherit the variable
        // `SYSTEMD_EXEC_PID`.
        guard environment["SYSTEMD_EXEC_PID"] == String(getpid()),
            UserServiceManager(environment: environment)?.isAvailable == true
        else { return nil }
        self.environment = environment
    }

    /// Fetches the current variables from the user manager; returns `nil` if it does not respond. Omits
    /// values that a shell would have to quote.
    public func fetchVariables() async -> [String: String]? {
        let report = try? await Launcher.run(
            ["systemctl", "--user", "show-environment"], environment: environment, within: .seconds(2),
            outputLimit: 1 << 20)
        guard let report, report.outcome == .exited(code: 0), !report.isTruncated else { return nil }
        return Self.parseVariables(in: report.output)
    }

    static func parseVariables(in text: String) -> [String: String] {
        let pairs = text.split(whereSeparator: \.isNewline).compactMap { line -> (String, String)? in
            guard let sign = line.firstIndex(of: "="), !line[sign...].hasPrefix("=$'") else { return nil }
            return (String(line[..<sign]), String(line[line.index(after: sign)...]))
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
