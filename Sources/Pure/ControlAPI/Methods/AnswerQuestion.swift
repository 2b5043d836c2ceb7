/// Answers a question, once, wherever else it is asked.
public struct AnswerQuestion: ControlMethod {
    public var questionId: String
    public var allow: Bool

    public init(questionId: String, allow: Bool) {
        self.questionId = questionId
        self.allow = allow
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// The account that the answer brought.
        public var account: String?

        public init(account: String? = nil) {
            self.account = account
        }
    }
}
