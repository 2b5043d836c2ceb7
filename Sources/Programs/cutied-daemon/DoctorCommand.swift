import ArgumentParser
import Doctor
import FoundationEssentials
import Glibc

/// Runs the checks of `cutied doctor` and prints the results.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check everything around the daemon.")

    @Flag var json = false

    func run() async throws {
        // Otherwise, a signal would terminate this program if the reader closes the pipe, as `head` does, and
        // the shell would report the signal.
        signal(SIGPIPE, SIG_IGN)
        let environment = ProcessInfo.processInfo.environment
        let sheet = CheckSheet(environment: environment, isTerminal: isatty(STDOUT_FILENO) == 1)
        let report = await DoctorRun(environment: environment).run { check in
            if !json { Self.writeText(sheet.text(check)) }
        }
        Self.writeText(json ? try report.encodeJSON() : sheet.summary(of: report))
        if report.exitCode != 0 { throw ExitCode(report.exitCode) }
    }

    /// Writes `text` to standard output. Write errors are ignored, because the exit code still reports the
    /// result.
    private static func writeText(_ text: String) {
        print(text, terminator: "")
        fflush(nil)
    }
}
