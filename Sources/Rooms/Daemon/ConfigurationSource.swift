import Config
public import FoundationEssentials
import Logging
import Platform

/// Where the configuration is read from, at the start and again at each reload.
struct ConfigurationSource {
    let paths: Paths
    let options: DaemonOptions

    /// Throws what is wrong with it, by file and line. Without a file, the environment may be enough.
    ///
    /// `checks` looks at the files that the configuration names. The start makes none: an account whose CA file is
    /// missing must not keep the other accounts from working.
    func read(checks: ConfiguredFileChecks = .none) throws -> Configuration {
        let file = options.configurationFile ?? paths.configurationFile()
        let bytes = try file.map { try contents(of: $0) } ?? []
        let configuration = try Configuration(
            bytes: bytes, file: file ?? paths.ownConfigurationFile, environment: options.environment,
            checks: checks)
        guard !configuration.accounts.isEmpty else {
            throw StartFailure.configuration(Configuration.unconfigured)
        }
        return configuration
    }

    private func contents(of file: String) throws -> [UInt8] {
        do {
            return try SmallFile.read(file, limit: Configuration.sizeLimit + 1)
        } catch {
            throw StartFailure.configuration(
                "the configuration cannot be read (\(error)); see `cutied setup`")
        }
    }

    /// `read` for the start: what is wrong ends the program with the exit code for it.
    func load() throws -> Configuration {
        do {
            return try read()
        } catch let error as ConfigurationError {
            throw StartFailure.configuration("\(error)")
        }
    }
}

/// What `cutied run` was started with.
public struct DaemonOptions: Sendable {
    /// nil: the person's, else the machine's.
    public var configurationFile: String?
    /// One of `logLevels`, over the configuration's and the environment's.
    public var logLevel: String?
    public var environment: [String: String]

    /// The words for `logLevel`, most talkative first.
    public nonisolated static let logLevels = Configuration.LogLevel.allCases.map(\.rawValue)

    public nonisolated init(
        configurationFile: String? = nil, logLevel: String? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.configurationFile = configurationFile
        self.logLevel = logLevel
        self.environment = environment
    }

    /// What was asked for on the command line, over everything else.
    var level: Logger.Level? { logLevel.flatMap(Logger.Level.init(rawValue:)) }
}

/// Why the daemon does not run: what a person reads and the program's exit code.
public struct StartFailure: Error, CustomStringConvertible {
    public let exitCode: Int32
    public let description: String

    nonisolated init(_ exitCode: Int32 = 1, _ description: String) {
        self.exitCode = exitCode
        self.description = description
    }

    /// sysexits: something must be configured first; the unit does not restart on it.
    static func configuration(_ description: String) -> StartFailure { StartFailure(78, description) }
}
