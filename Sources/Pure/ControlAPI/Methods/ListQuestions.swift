/// What waits for the person's answer, oldest first.
public struct ListQuestions: ControlMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        public var questions: [QuestionView]

        public init(questions: [QuestionView]) {
            self.questions = questions
        }
    }
}
