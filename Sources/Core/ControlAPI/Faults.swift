extension NotSent {
    /// The kinds of rejection by the API.
    public enum Cause: String, Sendable {
        case refused, notAuthorized, notFound
    }

    public init(outboxId: String, cause: Cause, reason: String, waiting: Bool? = nil) {
        self.init(outboxId: outboxId, cause: cause.rawValue, reason: reason, waiting: waiting)
    }
}

/// A message of the daemon, split at the first semicolon: the problem before it, the advice behind it.
public struct Reason: Hashable, Sendable {
    public let cause: String
    /// The advice; `nil` if the message contains none.
    public let advice: String?

    public init(_ sentence: String) {
        let cut = sentence.firstRange(of: "; ")
        cause = String(sentence[..<(cut?.lowerBound ?? sentence.endIndex)])
        advice = cut.map { String(sentence[$0.upperBound...]) }
    }
}
