extension NotSent {
    /// The reasons why the API rejected a message.
    public enum Cause: String, Sendable {
        case refused, notAuthorized, notFound
    }

    public init(outboxId: String, cause: Cause, reason: String, waiting: Bool? = nil) {
        self.init(outboxId: outboxId, cause: cause.rawValue, reason: reason, waiting: waiting)
    }
}

/// An error message of the daemon, split at the first semicolon: cause and advice.
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
