import Glibc

/// The environment that the user manager passes to programs. This environment follows the session, while a
/// service that started before the session has an older environment.
public struct SessionEnvironment: Sendable {
    private let environment: [String: String]

    /// `nil` if the user manager did not start the program with `environment`: then, `environment` is already
    /// that of the session.
    public init?(environment: [String: String]) {
        // Child processes of a service inherit the variable, but have another process ID.
        guard environment["SYSTEMD_EXEC_PID"] == String(getpid()),
            UserServiceManager(environment: environment)?.isAvailable == true
        else { return nil }
        self.environment = environment
    }

    /// Returns the current variables, except values that a shell would have to quote; `nil` if the user
    /// manager does not respond.
    public func fetchVariables() async -> [String: String]? {
        let report = try? await Launcher.run(
            ["systemctl", "--user", "show-environment"], environment: environment, within: .seconds(2),
            outputLimit: 1 << 20)
        guard let report, report.outcome == .exited(code: 0), !report.isCut else { return nil }
        return Self.parseVariables(listed: report.output)
    }

    static func parseVariables(listed text: String) -> [String: String] {
        let pairs = text.split(whereSeparator: \.isNewline).compactMap { line -> (String, String)? in
            guard let sign = line.firstIndex(of: "="), !line[sign...].hasPrefix("=$'") else { return nil }
            return (String(line[..<sign]), String(line[line.index(after: sign)...]))
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
