/// Pop-ups for good: sets them where `enabled` is given, tells how they are.
public struct Notifications: ControlMethod {
    public var enabled: Bool?

    public init(enabled: Bool? = nil) {
        self.enabled = enabled
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var enabled: Bool

        public init(enabled: Bool) {
            self.enabled = enabled
        }
    }
}

/// No pop-ups for so many seconds, or until `Resume`. Badge and history go on; urgent messages pass.
public struct Pause: ControlMethod {
    public var seconds: Int?
    /// Pop-ups without names and text instead of none.
    public var `private`: Bool?

    public init(seconds: Int? = nil, `private`: Bool? = nil) {
        self.seconds = seconds
        self.private = `private`
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// Unix milliseconds; nil: until `Resume`.
        public var pausedUntil: Int64?
        /// The pause only lowers the preview.
        public var `private`: Bool

        public init(pausedUntil: Int64? = nil, `private`: Bool = false) {
            self.pausedUntil = pausedUntil
            self.private = `private`
        }
    }
}

/// Ends a pause.
public struct Resume: ControlMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        public init() {}
    }
}

/// A program has the conversation before the person's eyes (with `more`): a new reply to it makes no pop-up as long
/// as the program stays connected. One reply comes at once, and none after it.
public struct Attend: ControlMethod {
    public var conversation: String
    public var account: String?

    public init(conversation: String, account: String? = nil) {
        (self.conversation, self.account) = (conversation, account)
    }

    public struct Reply: Codable, Hashable, Sendable {
        public init() {}
    }
}

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

/// Something that only the person can decide.
public struct QuestionView: Codable, Hashable, Sendable {
    public var questionId: String
    /// `permission`, `consent`, `app` or `host-app`.
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
