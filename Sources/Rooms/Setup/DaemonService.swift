public import Config
import ControlAPI
public import ControlClient
public import Platform

/// The daemon as a service of the person, which reads what was written.
public struct DaemonService: Sendable {
    private let daemon: DaemonClient
    private let units: UserUnits

    public init(daemon: DaemonClient, units: UserUnits) { (self.daemon, self.units) = (daemon, units) }

    /// The units, the socket first: it is there before the daemon asks for it.
    public static let unitNames = ["cutied.socket", "cutied.service"]

    /// What became of the daemon.
    public enum Outcome: Hashable, Sendable {
        /// It ran, and works by the new configuration.
        case reloaded
        /// It was started, and starts with each login from now on.
        case started
        /// It does not run; nobody was asked to start it.
        case notRunning
        /// No user manager can start it: the person has to, with `cutied run`.
        case unmanaged
        /// The user manager did not start it; what that said, which may be empty.
        case notStarted(String)
    }

    /// Makes `changes` in `file`, and has the daemon take them where it runs. What it refuses is taken back.
    public func apply(
        _ changes: [ConfigurationChange], to file: ConfigurationFile
    ) async throws -> Outcome {
        try await reload(try file.apply(changes))
    }

    /// Has the daemon take what was written where it runs. Throws `SetupFailure.notTaken`, and the file is as it
    /// was then; what else the client throws leaves the change in the file, for the
    /// next start.
    public func reload(_ change: WrittenChange) async throws -> Outcome {
        do {
            _ = try await daemon.impatient.call(Reload())
            return .reloaded
        } catch let fault as InvalidConfiguration {
            try change.undo()
            throw SetupFailure.notTaken(fault.reason)
        } catch let fault as Failed {
            // The daemon keeps the old configuration here, too.
            try change.undo()
            throw SetupFailure.notTaken(fault.reason)
        } catch is DaemonGone {
            return .notRunning
        }
    }

    /// Has the daemon take what was written, and start now and with each login. Throws as `reload`.
    public func begin(_ change: WrittenChange) async throws -> Outcome {
        let taken = try await reload(change)
        guard units.areManaged else { return taken == .reloaded ? .reloaded : .unmanaged }
        do throws(UserUnits.Failure) {
            try await units.enableAndStart(Self.unitNames)
        } catch {
            // One that runs without the manager's doing is nothing to complain about.
            return taken == .reloaded ? .reloaded : Self.outcome(of: error)
        }
        return taken == .reloaded ? .reloaded : .started
    }

    private static func outcome(of failure: UserUnits.Failure) -> Outcome {
        switch failure {
        case .noManager, .notRun: .unmanaged
        case .refused(let words): .notStarted(words)
        }
    }
}
