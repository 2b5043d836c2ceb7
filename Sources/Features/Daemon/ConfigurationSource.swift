import Config
public import FoundationEssentials
import Logging
import Platform
public import Reasons

/// The source of the configuration, which is read at startup and on each reload.
struct ConfigurationSource {
    let paths: Paths
    let options: DaemonOptions

    /// Reads the configuration from the file and the environment. If there is no file, the environment may be
    /// sufficient. A configuration without accounts is valid, because links and host apps add accounts.
    ///
    /// - Parameter checks: the checks of files that the configuration names. There are no checks at startup,
    ///   because an account whose CA file is missing must not prevent other accounts from working.
    /// - Throws: an error with file and line if the configuration is invalid.
    func read(checks: ConfiguredFileChecks = .none) throws -> Configuration {
        let file = options.configurationFile ?? paths.existingConfigurationFile()
        let bytes = try file.map { try readContents(of: $0) } ?? []
        return try Configuration(
            bytes: bytes, file: file ?? paths.userConfigurationFile, environment: options.environment,
            checks: checks)
    }

    private func readContents(of file: String) throws -> [UInt8] {
        do {
            return try SmallFile.read(file, sizeLimit: Configuration.sizeLimit + 1)
        } catch {
            throw StartFailure.invalidConfiguration(
                Reason(.configUnreadable, ["detail": " (\(error))"]))
        }
    }

    /// Reads the configuration at startup. Throws a `StartFailure` with an exit code if the configuration is
    /// invalid.
    func loadAtStartup() throws -> Configuration {
        do {
            return try read()
        } catch let error as ConfigurationError {
            throw StartFailure.invalidConfiguration(error.reason)
        }
    }
}

/// The options of `cutied run`.
public struct DaemonOptions: Sendable {
    /// The configuration file; `nil` for the user's own file or, without one, the system-wide file.
    public var configurationFile: String?
    /// A value of `Configuration.LogLevel`, which overrides the configuration and the environment; `nil` if
    /// it is not given.
    public var logLevel: String?
    public var environment: [String: String]

    public nonisolated init(
        configurationFile: String? = nil, logLevel: String? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.configurationFile = configurationFile
        self.logLevel = logLevel
        self.environment = environment
    }

    /// The log level of the command line; `nil` if it is not given.
    var level: Logger.Level? { logLevel.flatMap(Logger.Level.init(rawValue:)) }
}

/// The reason why the daemon cannot run, and the exit code.
public nonisolated struct StartFailure: ReasonedError {
    public let exitCode: Int32
    public let reason: Reason

    init(exitCode: Int32 = 1, _ reason: Reason) {
        self.exitCode = exitCode
        self.reason = reason
    }

    /// Returns a failure with exit code 78 (EX_CONFIG of sysexits). After this code, the unit does not
    /// restart the daemon.
    static func invalidConfiguration(_ reason: Reason) -> StartFailure {
        StartFailure(exitCode: 78, reason)
    }
}
