import Glibc
import Runtime

/// A client of polkit, which authenticates the user through the agent of the desktop.
public struct Polkit: Sendable {
    private let environment: [String: String]

    /// `environment`: the variables for finding `pkcheck` and the system bus.
    public init(environment: [String: String]) { self.environment = environment }

    public enum Answer: Hashable, Sendable {
        case authorized
        /// The user denied the request, could not authenticate, or did not respond in time.
        case refused
        /// No polkit agent runs in this session, so the user cannot be asked.
        case noAgent
        /// polkit is not installed, `pkcheck` could not be run, or the action is not registered. The value is
        /// the reason.
        case failed(String)
    }

    /// Asks the user to authorize `action` for this process, for at most `limit`. Cancelling the task closes
    /// the prompt.
    public func authorize(_ action: String, within limit: Duration) async -> Answer {
        guard let program = InstalledPrograms(environment: environment).path(of: "pkcheck") else {
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

    /// Returns the process ID, start time and user ID of this process, as `pkcheck` expects them. The start
    /// time distinguishes this process from a later process with the same ID.
    private func makeSubject() throws(SystemFailure) -> String {
        let status = String(decoding: try SmallFile.read("/proc/self/stat", limit: 4096), as: UTF8.self)
        // The program name in parentheses may contain spaces. The third field follows it.
        let fields = status[(status.lastIndex(of: ")") ?? status.startIndex)...].split(separator: " ")
        guard fields.count > 20 else { throw SystemFailure("read /proc/self/stat", code: EINVAL) }
        return "\(getpid()),\(fields[20]),\(getuid())"
    }
}
