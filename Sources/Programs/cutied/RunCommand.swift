import ArgumentParser
import Control
import Daemon

/// The command `cutied run`: the daemon in the foreground.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the daemon in the foreground.",
        discussion:
            "This is what cutied.service starts. It ends on SIGTERM and reads its configuration again on SIGHUP."
    )

    @Option(help: ArgumentHelp("Read this configuration instead of your own.", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp("trace, debug, info, notice, warning, error or critical.", valueName: "level"),
        completion: .list(DaemonOptions.logLevels))
    var logLevel: String?

    func validate() throws {
        guard let logLevel, !DaemonOptions.logLevels.contains(logLevel) else { return }
        throw ValidationError(
            "--log-level must be one of " + DaemonOptions.logLevels.joined(separator: ", "))
    }

    func run() async throws {
        do {
            try await DaemonProgram.run(DaemonOptions(configurationFile: config, logLevel: logLevel))
        } catch let failure as StartFailure {
            throw CommandError(ExitStatus(rawValue: failure.exitCode) ?? .failed, failure.description)
        }
    }
}
