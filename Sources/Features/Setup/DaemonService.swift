public import Config
import ControlAPI
public import ControlClient
public import Platform
import Reasons

/// Applies a changed configuration to the daemon, and starts the daemon as a service of the user manager.
public struct DaemonService: Sendable {
    private let daemon: DaemonClient
    private let units: UserUnits

    public init(daemon: DaemonClient, units: UserUnits) { (self.daemon, self.units) = (daemon, units) }

    /// The names of the units. The socket is first, because it must exist before the daemon starts.
    public static let unitNames = ["cutied.socket", "cutied.service"]

    /// The state of the daemon after a change.
    public enum Outcome: Hashable, Sendable {
        /// The daemon was running and has applied the configuration.
        case reloaded
        /// The daemon was started, and will start at each login.
        case started
        /// The daemon is not running, and no start was requested.
        case notRunning
        /// No user manager is available. The user must start the daemon with `cutied run`.
        case unmanaged
        /// The user manager could not start the daemon. The value is its message, which may be empty.
        case notStarted(String)
    }

    /// Applies `changes` to `file` and reloads the daemon if it is running. If the daemon rejects the
    /// changes, undoes them.
    public func apply(
        _ changes: [ConfigurationChange], to file: ConfigurationFile
    ) async throws -> Outcome {
        try await reload(after: try file.apply(changes))
    }

    /// Reloads the daemon if it is running.
    ///
    /// - Throws: `SetupFailure.rejectedByDaemon` if the daemon rejects the change, which is then undone.
    ///   After other errors of the client, the change stays in the file and applies when the daemon starts
    ///   again.
    public func reload(after change: WrittenChange) async throws -> Outcome {
        do {
            _ = try await daemon.withoutRetries.call(Reload())
            return .reloaded
        } catch let fault as InvalidConfiguration {
            try change.undo()
            throw SetupFailure.rejectedByDaemon(fault.reasonValue)
        } catch let fault as Failed {
            // Undo the change, because the daemon rejected it and keeps the previous configuration.
            try change.undo()
            throw SetupFailure.rejectedByDaemon(fault.reasonValue)
        } catch is DaemonUnavailable {
            return .notRunning
        }
    }

    /// Reloads the daemon if it is running. Enables and starts its units.
    ///
    /// - Throws: the errors of `reload`.
    public func start(after change: WrittenChange) async throws -> Outcome {
        await startService(after: try await reload(after: change))
    }

    /// Enables and starts the units, whether or not an account is configured.
    public func start() async -> Outcome { await startService(after: .notRunning) }

    private func startService(after outcome: Outcome) async -> Outcome {
        guard units.areManaged else { return outcome == .reloaded ? .reloaded : .unmanaged }
        do throws(UserUnits.UnitFailure) {
            try await units.enableAndStart(Self.unitNames)
        } catch {
            // Ignore the failure if the daemon already runs without the user manager.
            return outcome == .reloaded ? .reloaded : Self.outcome(for: error)
        }
        return outcome == .reloaded ? .reloaded : .started
    }

    private static func outcome(for failure: UserUnits.UnitFailure) -> Outcome {
        switch failure {
        case .noManager, .notRun: .unmanaged
        case .refused(let words): .notStarted(words)
        }
    }
}
