import Glibc
import Threads

/// Asks polkit, which asks the person by their desktop's agent: for a password, or what else the machine knows them by.
public struct Polkit: Sendable {
    private let environment: [String: String]

    /// `environment`: where `pkcheck` and the system bus are.
    public init(environment: [String: String]) { self.environment = environment }

    public enum Answer: Hashable, Sendable {
        case authorized
        /// The person said no, or could not say who they are, or did not answer in time.
        case refused
        /// Nobody can be asked: no agent runs in this session.
        case unasked
        /// There is no polkit, or it does not know the action; in its words.
        case failed(String)
    }

    /// Whether the person allows this process `action`. They are asked, for at most `limit`; when the task is
    /// cancelled the question goes away.
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
        case .exited(code: 2): .unasked
        default:
            .failed(report.output.split(whereSeparator: \.isNewline).last.map(String.init) ?? "no answer")
        }
    }

    /// With when it started, a process is not another one that got its number.
    private func subject() throws(SystemFailure) -> String {
        let status = String(decoding: try SmallFile.read("/proc/self/stat", limit: 4096), as: UTF8.self)
        // The name of the program, in brackets, may hold blanks; what follows it begins with the third field.
        let fields = status[(status.lastIndex(of: ")") ?? status.startIndex)...].split(separator: " ")
        guard fields.count > 20 else { throw SystemFailure("read /proc/self/stat", code: EINVAL) }
        return "\(getpid()),\(fields[20]),\(getuid())"
    }
}
