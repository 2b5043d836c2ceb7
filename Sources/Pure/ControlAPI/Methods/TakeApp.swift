/// Asks the person whether the account behind a `cutie://link` token is to be added here.
public struct TakeApp: ControlMethod {
    public var token: String
    /// A terminal asks: nothing pops up.
    public var quiet: Bool?
    /// The account at whose API the token was made.
    public var account: String?

    public init(token: String, quiet: Bool? = nil, account: String? = nil) {
        self.token = token
        self.quiet = quiet
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var question: QuestionView

        public init(question: QuestionView) {
            self.question = question
        }
    }
}
