/// Something that only the person can decide.
public struct QuestionView: Codable, Hashable, Sendable {
    public var questionId: String
    /// `permission`, `consent` or `app`.
    public var kind: String
    public var question: String
    /// What an answer means.
    public var detail: String
    /// What the two answers are called.
    public var allow: String
    public var refuse: String
    /// Unix milliseconds.
    public var askedAt: Int64

    public init(
        questionId: String, kind: String, question: String, detail: String, allow: String, refuse: String,
        askedAt: Int64
    ) {
        (self.questionId, self.kind, self.question, self.detail) = (questionId, kind, question, detail)
        (self.allow, self.refuse, self.askedAt) = (allow, refuse, askedAt)
    }
}
