import ArgumentParser
import Config

/// The command `cutied run`, which replaces this process with the daemon (`exec`).
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the daemon in the foreground.",
        discussion: """
            This is what cutied.service starts. It ends on SIGTERM and reads its configuration again on SIGHUP.

            Exit codes: 0 ended by a signal, 1 it cannot run, 69 a library is missing, 78 the config is the problem.
            """)

    private static let logLevels = Configuration.LogLevel.allCases.map(\.rawValue)

    @Option(help: ArgumentHelp("Use this config file instead of the default one.", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp("trace, debug, info, notice, warning, error or critical.", valueName: "level"),
        completion: .list(Self.logLevels))
    var logLevel: String?

    func validate() throws {
        guard let logLevel, !Self.logLevels.contains(logLevel) else { return }
        throw ValidationError("--log-level must be one of " + Self.logLevels.joined(separator: ", "))
    }

    func run() throws {
        try DaemonExecutable.exec(
            arguments: ["run"] + (config.map { ["--config=" + $0] } ?? [])
                + (logLevel.map { ["--log-level=" + $0] } ?? []))
    }
}
