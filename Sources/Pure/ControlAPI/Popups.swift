/// Pop-ups for good: sets them where `enabled` is given, tells how they are.
public struct Notifications: ControlMethod {
    public var enabled: Bool?

    public init(enabled: Bool? = nil) {
        self.enabled = enabled
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var enabled: Bool
        /// The reasons that hold notifications now, the most important first; `nil` from an older daemon.
        public var holds: [HoldView]?

        public init(enabled: Bool, holds: [HoldView]? = nil) {
            (self.enabled, self.holds) = (enabled, holds)
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
    /// Ids, names or links of those that are allowed, a link for the first account that knows it; nil: all that can be,
    /// each by the first account, or the first where it is one alone.
    public var services: [String]?

    public init(questionId: String, allow: Bool, services: [String]? = nil) {
        (self.questionId, self.allow, self.services) = (questionId, allow, services)
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
    /// `permission`, `consent`, `app`, `host-app` or `services`.
    public var kind: String
    public var question: String
    /// What an answer means.
    public var detail: String
    /// What the two answers are called.
    public var allow: String
    public var refuse: String
    /// Unix milliseconds.
    public var askedAt: Int64
    /// The program that asks, as the system knows it; nil: no program asks.
    public var app: String?
    /// The system vouches for `app`.
    public var verified: Bool?
    /// What an app asks services for; nil: it is no such question, like the two below.
    public var protocols: [String]?
    /// What can be chosen from, those that were used last first.
    public var services: [ServiceChoice]?
    /// One service alone can be allowed.
    public var single: Bool?

    public init(
        questionId: String, kind: String, question: String, detail: String, allow: String, refuse: String,
        askedAt: Int64, app: String? = nil, verified: Bool? = nil, protocols: [String]? = nil,
        services: [ServiceChoice]? = nil, single: Bool? = nil
    ) {
        (self.questionId, self.kind, self.question, self.detail) = (questionId, kind, question, detail)
        (self.allow, self.refuse, self.askedAt) = (allow, refuse, askedAt)
        (self.app, self.verified) = (app, verified)
        (self.protocols, self.services, self.single) = (protocols, services, single)
    }
}

/// A service that an app may be allowed.
public struct ServiceChoice: Codable, Hashable, Sendable {
    public var name: String
    /// Its `engineLink`, which tells it from all others.
    public var link: String
    public var host: String
    /// Whose person it would be.
    public var account: String
    /// Some app got a token for it before.
    public var used: Bool
    /// What an answer names it by: several accounts may know one service. nil: an older daemon's.
    public var id: String?

    public init(name: String, link: String, host: String, account: String, used: Bool, id: String? = nil) {
        (self.name, self.link, self.host) = (name, link, host)
        (self.account, self.used, self.id) = (account, used, id)
    }

    /// As an answer names it.
    public var answer: String { id ?? link }
}

extension Sequence<ServiceChoice> {
    /// Each service once, by the first account that knows it: what a plain yes allows.
    public var oncePerLink: [ServiceChoice] {
        var seen: Set<String> = []
        return filter { seen.insert($0.link).inserted }
    }
}
