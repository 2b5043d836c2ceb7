import ArgumentParser
import Doctor
import FoundationEssentials
import Glibc

/// `cutied doctor`: what is wrong around the daemon, and what to do.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check everything around the daemon and say what to do.",
        discussion: """
            Looks at the config, the files' rights, the session bus and its notification server, the daemon, \
            the API with its certificates, and the unit, and tries what a click on a pop-up does, with a \
            harmless program. Changes nothing.

            Exit codes: 0 nothing failed, 1 a check failed, 78 the config is the problem.
            """)

    @Flag(help: "Print one object: {\"checks\": [{name, verdict, finding, advice}], \"ok\": bool}.")
    var json = false

    func run() async throws {
        // Else a reader that goes away (`| head`) would kill us, and the shell would tell of it.
        signal(SIGPIPE, SIG_IGN)
        let environment = ProcessInfo.processInfo.environment
        let sheet = CheckSheet(environment: environment, isTerminal: isatty(STDOUT_FILENO) == 1)
        let report = await Examination(environment: environment).run { check in
            if !json { Self.put(sheet.text(check)) }
        }
        Self.put(json ? try report.json() : sheet.summary(of: report))
        if report.exitCode != 0 { throw ExitCode(report.exitCode) }
    }

    /// What nobody reads any more is lost; the exit code still tells how it is.
    private static func put(_ text: String) {
        print(text, terminator: "")
        fflush(nil)
    }
}
