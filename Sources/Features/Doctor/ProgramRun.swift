import Platform

/// The exit status and the output of a program.
struct ProgramRun: Hashable, Sendable {
    enum Ending: Hashable, Sendable {
        case exited(code: Int32)
        /// A signal ended the program; this may be the signal that is sent after the time limit.
        case killed
        case notStarted
    }

    var ending: Ending
    /// The combined standard output and error, at most 64 KiB.
    var output: String

    /// Runs `arguments[0]`, which is found in PATH, for at most `limit`. Sets the locale C, because the
    /// output is parsed.
    init(_ arguments: String..., environment: [String: String], limit: Duration = .seconds(3)) async {
        let environment = environment.merging(["LC_ALL": "C", "SYSTEMD_COLORS": "0"]) { $1 }
        guard
            let report = try? await Launcher.run(
                arguments, environment: environment, within: limit, outputLimit: 64 << 10)
        else {
            self.init(ending: .notStarted, output: "")
            return
        }
        if case .exited(let code) = report.outcome, !report.isLate {
            self.init(ending: .exited(code: code), output: report.output)
        } else {
            self.init(ending: .killed, output: report.output)
        }
    }

    init(ending: Ending, output: String) {
        (self.ending, self.output) = (ending, output)
    }

    /// The first line of the output.
    var line: String { String(output.prefix { !$0.isNewline }) }
}
