import ArgumentParser
import Doctor
import FoundationEssentials
import Glibc

/// The command `cutied doctor`: checks the environment of the daemon and gives advice.
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
        // Otherwise, a reader that exits early (`| head`) would kill the process, and the shell would report
        // that.
        signal(SIGPIPE, SIG_IGN)
        let environment = ProcessInfo.processInfo.environment
        let sheet = CheckSheet(environment: environment, isTerminal: isatty(STDOUT_FILENO) == 1)
        let report = await Examination(environment: environment).run { check in
            if !json { Self.put(sheet.text(check)) }
        }
        Self.put(json ? try report.json() : sheet.summary(of: report))
        if report.exitCode != 0 { throw ExitCode(report.exitCode) }
    }

    /// Prints text and ignores errors. If the reader has exited, the exit code still contains the result.
    private static func put(_ text: String) {
        print(text, terminator: "")
        fflush(nil)
    }
}
