import Platform

/// How a program ended and what it said.
struct ProgramRun: Hashable, Sendable {
    enum Ending: Hashable, Sendable {
        case exited(code: Int32)
        /// By a signal, ours when it took too long.
        case killed
        case notStarted
    }

    var ending: Ending
    /// Standard output and error together, at most 64 KiB.
    var output: String

    /// Runs `arguments`, the first looked up in PATH, for at most `limit`; without translation of its words,
    /// which are compared.
    init(_ arguments: String..., environment: [String: String], limit: Duration = .seconds(3)) async {
        let environment = environment.merging(["LC_ALL": "C", "SYSTEMD_COLORS": "0"]) { $1 }
        guard
            let report = try? await Launcher.run(
                arguments, environment: environment, within: limit, keeping: 64 << 10)
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

    /// Its first line.
    var line: String { String(output.prefix { !$0.isNewline }) }
}
