import ArgumentParser

/// The command `cutied doctor`, which replaces this process with `cutied-daemon` (`exec`), because the checks
/// need the daemon's libraries.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the daemon and its environment, and suggest fixes.",
        discussion: """
            Checks the config, file permissions, the session bus and its notification server, the daemon, the \
            API and its certificates, and the systemd unit, and tests the action of a click on a notification with a \
            harmless program. Changes nothing.

            Exit codes: 0 nothing failed, 1 a check failed, 69 a library is missing, 78 the config is the problem.
            """)

    @Flag(help: "Print one object: {\"checks\": [{name, verdict, finding, advice}], \"ok\": bool}.")
    var json = false

    func run() throws {
        try DaemonExecutable.exec(arguments: ["doctor"] + (json ? ["--json"] : []))
    }
}
