import ArgumentParser
import Doctor
import FoundationEssentials
import Glibc

/// The command that runs the checks of `cutied doctor` and prints the results.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check everything around the daemon.")

    @Flag var json = false

    func run() async throws {
        // Ignore SIGPIPE: a reader that closes the pipe early, such as `head`, would otherwise terminate this
        // program, and the shell would report the signal.
        signal(SIGPIPE, SIG_IGN)
        let environment = ProcessInfo.processInfo.environment
        let sheet = CheckFormatter(environment: environment, isTerminal: isatty(STDOUT_FILENO) == 1)
        let report = await DoctorRun(environment: environment).run { check in
            if !json { Self.writeText(sheet.text(of: check)) }
        }
        Self.writeText(json ? try report.encodeJSON() : sheet.summary(of: report))
        if report.exitCode != 0 { throw ExitCode(report.exitCode) }
    }

    /// Prints `text`. Ignores write errors, because the exit code also reports the result.
    private static func writeText(_ text: String) {
        print(text, terminator: "")
        fflush(nil)
    }
}
