import ArgumentParser
import Daemon

/// The command that runs the daemon in the foreground.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "run", abstract: "Run the daemon.")

    @Option var config: String?
    @Option var logLevel: String?

    func run() async throws {
        try await DaemonProgram.run(DaemonOptions(configurationFile: config, logLevel: logLevel))
    }
}
