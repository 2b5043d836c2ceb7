import Glibc
import Runtime

/// Asks polkit, which authenticates the user through the desktop's agent.
public struct Polkit: Sendable {
    private let environment: [String: String]

    /// `environment` is used to find `pkcheck` and the system bus.
    public init(environment: [String: String]) { self.environment = environment }

    public enum Answer: Hashable, Sendable {
        case authorized
        /// The user refused, could not authenticate, or did not answer in time.
        case refused
        /// The user cannot be asked: no polkit agent runs in this session.
        case noAgent
        /// polkit is missing or does not know the action. The text is polkit's.
        case failed(String)
    }

    /// Asks the user to authorize `action` for this process, for at most `limit`. Cancelling the task
    /// withdraws the question.
    public func authorize(_ action: String, within limit: Duration) async -> Answer {
        guard let program = InstalledPrograms(environment: environment).path(of: "pkcheck") else {
            return .failed("polkit is not installed")
        }
        let report: Launcher.Report
        do {
            report = try await Launcher.run(
                [
                    program, "--action-id", action, "--process", try subject(),
                    "--allow-user-interaction",
                ], environment: environment, within: limit, keeping: 4 << 10)
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

    /// The start time distinguishes this process from a later one with the same pid.
    private func subject() throws(SystemFailure) -> String {
        let status = String(decoding: try SmallFile.read("/proc/self/stat", limit: 4096), as: UTF8.self)
        // The program's name, in parentheses, may contain spaces. The third field follows it.
        let fields = status[(status.lastIndex(of: ")") ?? status.startIndex)...].split(separator: " ")
        guard fields.count > 20 else { throw SystemFailure("read /proc/self/stat", code: EINVAL) }
        return "\(getpid()),\(fields[20]),\(getuid())"
    }
}
