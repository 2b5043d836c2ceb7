import ArgumentParser

/// `cutied doctor`: replaces this process by the daemon's program, which makes the examination with the libraries of
/// the daemon.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check everything around the daemon and say what to do.",
        discussion: """
            Looks at the config, the files' rights, the session bus and its notification server, the daemon, \
            the API with its certificates, and the unit, and tries what a click on a pop-up does, with a \
            harmless program. Changes nothing.

            Exit codes: 0 nothing failed, 1 a check failed, 69 a library is missing, 78 the config is the problem.
            """)

    @Flag(help: "Print one object: {\"checks\": [{name, verdict, finding, advice}], \"ok\": bool}.")
    var json = false

    func run() throws {
        try DaemonExecutable.execute(["doctor"] + (json ? ["--json"] : []))
    }
}
