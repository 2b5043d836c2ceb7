import Glibc
import Runtime

/// A client of polkit. polkit asks the user for authentication through an agent of the desktop.
public struct Polkit: Sendable {
    private let environment: [String: String]

    /// Creates a client.
    ///
    /// - Parameter environment: the environment that is used to find `pkcheck` and the system bus.
    public init(environment: [String: String]) { self.environment = environment }

    public enum Outcome: Hashable, Sendable {
        case authorized
        /// The user refused the authorization, failed to authenticate, or did not respond in time.
        case refused
        /// The session has no polkit agent, so polkit cannot ask the user.
        case noAgent
        /// polkit or `pkcheck` is not usable, or the action is not registered. The value is the reason.
        case failed(String)
    }

    /// Asks the user to authorize `action` for this process. Waits up to `limit`. If the task is cancelled,
    /// the prompt is closed.
    public func authorize(_ action: String, within limit: Duration) async -> Outcome {
        guard let program = InstalledPrograms(environment: environment).path(ofProgram: "pkcheck") else {
            return .failed("polkit is not installed")
        }
        let report: Launcher.Report
        do {
            report = try await Launcher.run(
                [
                    program, "--action-id", action, "--process", try makeSubject(),
                    "--allow-user-interaction",
                ], environment: environment, within: limit, outputLimit: 4 << 10)
        } catch { return .failed("\(error)") }
        if report.isLate { return .refused }
        return switch report.outcome {
        case .exited(code: 0): .authorized
        case .exited(code: 1), .exited(code: 3): .refused
        case .exited(code: 2): .noAgent
        default:
            .failed(report.output.split(whereSeparator: \.isNewline).last.map(String.init) ?? "no answer")
        }
    }

    /// Returns the process ID, start time and user ID of this process in the format of `pkcheck`. The start
    /// time prevents confusion with a later process that has the same ID.
    private func makeSubject() throws(SystemFailure) -> String {
        let status = String(decoding: try SmallFile.read("/proc/self/stat", sizeLimit: 4096), as: UTF8.self)
        // Parse the fields after the program name: the name is in parentheses and may contain spaces.
        let fields = status[(status.lastIndex(of: ")") ?? status.startIndex)...].split(separator: " ")
        guard fields.count > 20 else { throw SystemFailure("read /proc/self/stat", code: EINVAL) }
        return "\(getpid()),\(fields[20]),\(getuid())"
    }
}
