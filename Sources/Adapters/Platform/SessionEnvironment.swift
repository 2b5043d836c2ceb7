import Glibc

/// The environment that the user manager gives to programs. It follows the session, while a service that
/// started before the session keeps an older one.
public struct SessionEnvironment: Sendable {
    private let environment: [String: String]

    /// `nil` unless `environment` belongs to a program that the user manager started: otherwise it is already
    /// the session's.
    public init?(environment: [String: String]) {
        // Programs that a service starts inherit the variable, but have another pid.
        guard environment["SYSTEMD_EXEC_PID"] == String(getpid()),
            UserServiceManager(environment: environment)?.isAvailable == true
        else { return nil }
        self.environment = environment
    }

    /// Returns the current variables, without values that a shell would have to quote; `nil` if the manager
    /// does not answer.
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
