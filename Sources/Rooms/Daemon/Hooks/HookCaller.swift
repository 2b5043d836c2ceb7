import ControlAPI
import CutieAPI
import Logging
import Platform

/// Runs a hook and tells the journal what it said. Whatever becomes of a hook, it disturbs nothing else.
final class HookCaller {
    private static let timeout: Duration = .seconds(30)
    private static let mostLines = 64
    private let launcher: Launcher
    private let additions: [String: String]
    private let timeout: Duration
    private let logger: Logger

    init(environment: [String: String], logger: Logger, timeout: Duration = HookCaller.timeout) {
        launcher = Launcher(environment: environment)
        additions = environment.filter { $0.key == "CUTIED_SOCKET" }
        (self.logger, self.timeout) = (logger, timeout)
    }

    /// Returns when it has ended or its time was over. False where the daemon ended before that: then it is
    /// to be called again.
    func call(_ command: [String], with line: Watch.Reply) async -> Bool {
        let message = line.message ?? ""
        do {
            let report = try await launcher.runHook(
                command, input: JSON.encode(line) + [UInt8(ascii: "\n")], adding: additions, within: timeout)
            if Task.isCancelled, !report.outcome.isSuccess { return false }
            tell(report, message)
        } catch {
            logger.warning("a hook did not run", metadata: ["message": "\(message)", "reason": "\(error)"])
        }
        return true
    }

    private func tell(_ report: Launcher.Report, _ message: String) {
        let lines = report.output.split(separator: "\n")
        for line in lines.prefix(Self.mostLines) {
            logger.info("a hook says", metadata: ["message": "\(message)", "text": "\(line.prefix(1000))"])
        }
        if report.isCut || lines.count > Self.mostLines {
            logger.info("a hook says more than is kept", metadata: ["message": "\(message)"])
        }
        if report.isLate {
            logger.warning("a hook took too long and was ended", metadata: ["message": "\(message)"])
        } else if !report.outcome.isSuccess {
            logger.warning(
                "a hook failed", metadata: ["message": "\(message)", "reason": "\(report.outcome)"])
        } else {
            logger.debug("a hook ran", metadata: ["message": "\(message)"])
        }
    }
}
