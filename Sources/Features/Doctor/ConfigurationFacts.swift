import Config
import ControlAPI
import HTTP
import Platform

/// The configuration as the daemon would load it.
struct ConfigurationFacts: Sendable {
    enum Outcome: Sendable {
        case read(Configuration)
        case invalid(ConfigurationError)
        /// The file cannot be read, for the given reason.
        case unreadable(String)
    }

    static let checkName = "config"
    private static let firstAccount =
        "open the link of an app while the daemon runs, run `cutied setup`, or set CUTIED_APP_ID"

    /// The configuration file; `nil` if there is none.
    var file: String?
    /// The path of the user's own file, whether or not it exists.
    var ownFile: String
    var outcome: Outcome

    var accounts: [AccountConfiguration] {
        if case .read(let configuration) = outcome { configuration.accounts } else { [] }
    }

    var opener: [String]? {
        if case .read(let configuration) = outcome { configuration.opener } else { nil }
    }
}

extension ConfigurationFacts {
    init(reading paths: Paths, environment: [String: String]) {
        let found = paths.existingConfigurationFile()
        file = found
        ownFile = paths.userConfigurationFile
        do {
            let bytes = try found.map { file throws(SystemFailure) in
                try SmallFile.read(file, sizeLimit: Configuration.sizeLimit + 1)
            }
            outcome = Self.parse(bytes ?? [], file: found ?? ownFile, environment: environment)
        } catch {
            outcome = .unreadable("\(error)")
        }
    }

    private static func parse(_ bytes: [UInt8], file: String, environment: [String: String]) -> Outcome {
        do {
            let programs = InstalledPrograms(environment: environment)
            return .read(
                try Configuration(
                    bytes: bytes, file: file, environment: environment,
                    checks: .onDisk { programs.path(ofProgram: $0) }))
        } catch {
            return .invalid(error)
        }
    }
}

extension ConfigurationFacts {
    /// Whether the loaded configuration contains no account. The configuration of the daemon may differ,
    /// because the daemon may have another environment or file.
    var isUnconfigured: Bool {
        if case .read = outcome { accounts.isEmpty } else { false }
    }

    /// Returns the check of the configuration. If no account is configured here but the daemon runs, the
    /// check
    /// is skipped: the daemon has accounts from elsewhere, or waits for its first account.
    func makeCheck(comparingWith daemon: DaemonFacts) -> Check {
        guard isUnconfigured, let status = daemon.status else { return check }
        guard !status.accounts.isEmpty else {
            return Check(
                Self.checkName, .skipped, "no account is set up; the daemon runs and waits for one",
                advice: Self.firstAccount)
        }
        let names = status.accounts.map(\.name).joined(separator: ", ")
        return Check(
            Self.checkName, .skipped,
            "no account here; the daemon has accounts of apps, of its environment or of --config (\(names))",
            advice: "if its environment has variables of cutied, set them here to check its API too")
    }

    var check: Check {
        switch outcome {
        case .invalid(let error):
            return Check(Self.checkName, .failure, error.reason)
        case .unreadable(let reason):
            let advice = "make it readable for your user, or create it with `cutied setup`"
            return Check(Self.checkName, .failure, "the config cannot be read (\(reason))", advice: advice)
        case .read where accounts.isEmpty:
            let place = file.map { "\($0) contains no App ID" } ?? "there is no \(ownFile)"
            return Check(Self.checkName, .failure, place + " and none is set", advice: Self.firstAccount)
        case .read:
            let names = accounts.map(\.name).joined(separator: ", ")
            let which = accounts.count == 1 ? "account " : "accounts "
            return Check(Self.checkName, .ok, "\(file ?? "the environment"), \(which)\(names)")
        }
    }
}
