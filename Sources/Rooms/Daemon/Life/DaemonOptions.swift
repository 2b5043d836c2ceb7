import Config
public import FoundationEssentials
import Platform

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
