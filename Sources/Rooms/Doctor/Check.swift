import ControlAPI

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
