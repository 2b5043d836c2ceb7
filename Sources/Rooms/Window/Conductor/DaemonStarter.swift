import Localization
import Platform
import Threads

/// Starts the daemon for the person: its service where a user manager is, else the program itself.
nonisolated struct DaemonStarter: Sendable {
    private let environment: [String: String]
    private static let limit = Duration.seconds(20)

    init(environment: [String: String]) { self.environment = environment }

    /// nil where it was started; else a sentence that says why not. Its socket answers a moment later.
    func start() async -> String? {
        await withTaskExecutorPreference(EventLoop.shared) { await startService() }
    }

    @concurrent private func startService() async -> String? {
        do {
            let report = try await Launcher.run(
                ["systemctl", "--user", "start", "cutied.service"], environment: environment,
                within: Self.limit, keeping: 4096)
            if report.outcome.isSuccess { return nil }
            return await startProgram(insteadOf: report.output)
        } catch {
            return await startProgram(insteadOf: error.description)
        }
    }

    /// Where no user manager is, or it knows no such service.
    private func startProgram(insteadOf reason: String) async -> String? {
        guard let program = InstalledPrograms(environment: environment).path(of: "cutied") else {
            return localized("It could not be started: {reason}", ["reason": firstLine(reason)])
        }
        do {
            let outcome = try await Launcher(environment: environment).launch([program, "run"])
            if outcome.isSuccess { return nil }
            return localized(
                "It ended at once ({outcome}). “cutied doctor” in a terminal tells why.",
                ["outcome": "\(outcome)"])
        } catch {
            return localized("It could not be started: {reason}", ["reason": error.description])
        }
    }

    private func firstLine(_ text: String) -> String {
        text.split(separator: "\n").first.map(String.init) ?? text
    }
}
