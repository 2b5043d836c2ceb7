import ControlAPI
import CutieAPI
import Reasons

/// The results of all checks, in order.
public struct DoctorReport: Hashable, Sendable, Encodable {
    public var checks: [Check]
    /// Whether no check failed.
    public var ok: Bool

    public init(_ checks: [Check]) {
        self.checks = checks
        ok = !checks.contains { $0.verdict == .failure }
    }

    /// The exit code: 0 if no check failed, 78 if the configuration is invalid, otherwise 1.
    public var exitCode: Int32 {
        if ok { return 0 }
        return checks.contains { $0.name == ConfigurationFacts.checkName && $0.verdict == .failure } ? 78 : 1
    }

    /// The summary in the last line of the output.
    public var summary: String {
        func count(of verdict: Check.Verdict) -> Int { checks.count { $0.verdict == verdict } }
        return switch (count(of: .failure), count(of: .warning)) {
        case (0, 0): "no problems found"
        case (0, let warnings): "no failures, \(warnings) to review"
        case (let failures, 0): "\(failures) failed"
        case (let failures, let warnings): "\(failures) failed, \(warnings) to review"
        }
    }
}

/// The result of a check, with advice.
public struct Check: Hashable, Sendable, Codable {
    /// The outcome of a check.
    public enum Verdict: String, Hashable, Sendable, Codable {
        case ok, warning, failure
        /// The check was impossible or does not apply. The finding contains the reason.
        case skipped
    }

    /// The subject of the check; if there are several accounts, followed by the account name in parentheses.
    public var name: String
    public var verdict: Verdict
    /// The result of the check as text.
    public var finding: String
    /// The recommended action; `nil` if no action is needed.
    public var advice: String?

    public init(_ name: String, _ verdict: Verdict, _ finding: String, advice: String? = nil) {
        self.name = name
        self.verdict = verdict
        self.finding = finding
        self.advice = advice
    }

    init(_ name: String, _ verdict: Verdict, _ reason: Reason) {
        self.init(name, verdict, reason.englishProblem, advice: reason.englishAdvice)
    }
}

extension DoctorReport {
    /// Returns the report as a JSON object on one line, with a line end.
    public func encodeJSON() throws -> String {
        String(decoding: try JSON.encode(self), as: UTF8.self) + "\n"
    }
}
