import Config
import FoundationEssentials
import Platform

/// Where the configuration is read from, at the start and again at each reload.
struct ConfigurationSource {
    let paths: Paths
    let options: DaemonOptions

    /// Throws what is wrong with it, by file and line. Without a file, the environment may be enough.
    func read() throws -> Configuration {
        let file = options.configurationFile ?? paths.configurationFile()
        let bytes = try file.map { try contents(of: $0) } ?? []
        let configuration = try Configuration(
            bytes: bytes, file: file ?? paths.ownConfigurationFile, environment: options.environment)
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
}

extension ConfigurationSource {
    /// `read` for the start: what is wrong ends the program with the exit code for it.
    func load() throws -> Configuration {
        do {
            return try read()
        } catch let error as ConfigurationError {
            throw StartFailure.configuration("\(error)")
        }
    }
}
