import Localization
import Platform
import Reasons
import Runtime
import Setup

/// Starts the daemon as a service of the user manager, or directly if no user manager is available.
nonisolated struct DaemonStarter: Sendable {
    private let environment: [String: String]

    init(environment: [String: String]) { self.environment = environment }

    /// Starts the daemon, whose socket becomes available shortly afterward.
    ///
    /// - Returns: `nil` on success, otherwise an error message.
    func start() async -> String? {
        await withTaskExecutorPreference(EventLoop.shared) { await startServiceReturningError() }
    }

    @concurrent private func startServiceReturningError() async -> String? {
        do throws(UserUnits.UnitFailure) {
            try await UserUnits(environment: environment).start(DaemonService.unitNames)
            return nil
        } catch {
            return await startProgram(because: error.sentence)
        }
    }

    /// Starts the program directly, because there is no user manager or no service.
    ///
    /// - Returns: `nil` on success, otherwise an error message.
    private func startProgram(because reason: String) async -> String? {
        guard let program = InstalledPrograms(environment: environment).path(ofProgram: "cutied") else {
            return localized("Cuti-E could not be started: {reason}", ["reason": reason])
        }
        do {
            let outcome = try await Launcher(environment: environment).launch(
                [program, "run"], output: .inherited)
            if outcome.isSuccess { return nil }
            return localized(
                "Cuti-E stopped immediately ({outcome}). Run “cutied doctor” in a terminal to find the cause.",
                ["outcome": Self.reason(for: outcome).localized])
        } catch {
            return localized("Cuti-E could not be started: {reason}", ["reason": error.description])
        }
    }

    private static func reason(for outcome: Launcher.Outcome) -> Reason {
        switch outcome {
        case .exited(let code): Reason(.programEnded, ["program": "cutied", "status": "\(code)"])
        case .killed(let signal): Reason(.programKilled, ["program": "cutied", "signal": "\(signal)"])
        case .running: Reason(.programNotStarted, ["program": "cutied", "detail": ""])
        }
    }
}

nonisolated extension UserUnits.UnitFailure {
    fileprivate var sentence: String {
        switch self {
        case .noManager: localized("no systemd user manager responds in this session")
        case .notRun(let failure): failure.description
        case .refused(let reason): reason
        }
    }
}
