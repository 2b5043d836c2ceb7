import ArgumentParser
import Doctor
import FoundationEssentials
import Glibc

/// The examination that `cutied doctor` prints.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check everything around the daemon.")

    @Flag var json = false

    func run() async throws {
        // A reader that closes the pipe (`| head`) must not end this program by a signal, which the shell reports.
        signal(SIGPIPE, SIG_IGN)
        let environment = ProcessInfo.processInfo.environment
        let sheet = CheckSheet(environment: environment, isTerminal: isatty(STDOUT_FILENO) == 1)
        let report = await Examination(environment: environment).run { check in
            if !json { Self.put(sheet.text(check)) }
        }
        Self.put(json ? try report.json() : sheet.summary(of: report))
        if report.exitCode != 0 { throw ExitCode(report.exitCode) }
    }

    /// A write error is ignored: the exit code still reports the result.
    private static func put(_ text: String) {
        print(text, terminator: "")
        fflush(nil)
    }
}
