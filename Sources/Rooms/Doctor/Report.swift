import ControlAPI
import CutieAPI

/// All checks of an examination, in their order.
public struct Report: Hashable, Sendable, Encodable {
    public var checks: [Check]
    /// Nothing failed.
    public var ok: Bool

    public init(_ checks: [Check]) {
        self.checks = checks
        ok = !checks.contains { $0.verdict == .failure }
    }

    /// 0 where nothing failed, 78 where the config is the problem, else 1.
    public var exitCode: Int32 {
        if ok { return 0 }
        return checks.contains { $0.name == ConfigurationFacts.checkName && $0.verdict == .failure } ? 78 : 1
    }

    /// The last line for a person.
    public var summary: String {
        func count(_ verdict: Check.Verdict) -> Int { checks.count { $0.verdict == verdict } }
        return switch (count(.failure), count(.warning)) {
        case (0, 0): "all is well"
        case (0, let warnings): "works, with \(warnings) to look at"
        case (let failures, 0): "\(failures) failed"
        case (let failures, let warnings): "\(failures) failed, \(warnings) more to look at"
        }
    }
}

/// One thing that was looked at: how it is, and what to do about it.
public struct Check: Hashable, Sendable, Codable {
    public enum Verdict: String, Hashable, Sendable, Codable {
        case ok, warning, failure
        /// Could not be looked at, or does not matter here; the finding says why.
        case skipped
    }

    /// What was looked at; the account follows in parentheses where there are several.
    public var name: String
    public var verdict: Verdict
    /// How it is.
    public var finding: String
    /// What to do; nil where nothing has to be done.
    public var advice: String?

    public init(_ name: String, _ verdict: Verdict, _ finding: String, advice: String? = nil) {
        self.name = name
        self.verdict = verdict
        self.finding = finding
        self.advice = advice
    }

    /// `sentence` says what is wrong; behind a semicolon, what to do.
    init(_ name: String, _ verdict: Verdict, sentence: String) {
        let reason = Reason(sentence)
        self.init(name, verdict, reason.cause, advice: reason.advice)
    }
}

extension Report {
    /// One object on one line, with its end.
    public func json() throws -> String {
        String(decoding: try JSON.encode(self), as: UTF8.self) + "\n"
    }
}
