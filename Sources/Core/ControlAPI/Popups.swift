/// Returns whether notifications are enabled; sets the value first if `enabled` is given. The setting is
/// permanent.
public struct Notifications: ControlMethod {
    public var enabled: Bool?

    public init(enabled: Bool? = nil) {
        self.enabled = enabled
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var enabled: Bool
        /// The reasons that hold back notifications now, most important first; `nil` from an older daemon.
        public var holds: [HoldView]?

        public init(enabled: Bool, holds: [HoldView]? = nil) {
            (self.enabled, self.holds) = (enabled, holds)
        }
    }
}

/// Pauses notifications for a number of seconds, or until `Resume`. The badge and the history are still
/// updated, and urgent messages are still shown.
public struct Pause: ControlMethod {
    public var seconds: Int?
    /// Whether to show notifications without names and text instead of suppressing them.
    public var `private`: Bool?

    public init(seconds: Int? = nil, `private`: Bool? = nil) {
        self.seconds = seconds
        self.private = `private`
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// Unix milliseconds; `nil` for a pause until `Resume`.
        public var pausedUntil: Int64?
        /// Whether the pause only hides names and text.
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

/// Suppresses notifications of new replies in a conversation that a program displays (with `more`), until the
/// program disconnects. The single reply is sent immediately.
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

/// Returns the questions that are pending, oldest first.
public struct ListQuestions: ControlMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        public var questions: [QuestionView]

        public init(questions: [QuestionView]) {
            self.questions = questions
        }
    }
}

/// Answers a question. The answer applies everywhere the question is displayed, and only the first one
/// counts.
public struct AnswerQuestion: ControlMethod {
    public var questionId: String
    public var allow: Bool
    /// The allowed services, by id, name or link. A link stands for the first account that has the service.
    /// `nil` allows every service by its first account, or only the first one if `single` is set.
    public var services: [String]?

    public init(questionId: String, allow: Bool, services: [String]? = nil) {
        (self.questionId, self.allow, self.services) = (questionId, allow, services)
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// The account that was added by the answer.
        public var account: String?

        public init(account: String? = nil) {
            self.account = account
        }
    }
}

/// A decision that only the user can make.
public struct QuestionView: Codable, Hashable, Sendable {
    public var questionId: String
    /// `permission`, `consent`, `app`, `host-app` or `services`.
    public var kind: String
    public var question: String
    /// The consequences of each answer.
    public var detail: String
    /// The labels of the two answers.
    public var allow: String
    public var refuse: String
    /// Unix milliseconds.
    public var askedAt: Int64
    /// The program that asks, as identified by the system; `nil` if the question does not come from a
    /// program.
    public var app: String?
    /// Whether the system verified the identity of `app`.
    public var verified: Bool?
    /// `nil`, like the two fields below, if the question is not about services. The protocols that the app
    /// requests.
    public var protocols: [String]?
    /// The services to choose from, most recently used first.
    public var services: [ServiceChoice]?
    /// Whether only one service can be allowed.
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

/// A service that the user can allow for an app.
public struct ServiceChoice: Codable, Hashable, Sendable {
    public var name: String
    /// The `engineLink`, which identifies the service.
    public var link: String
    public var host: String
    /// The account whose user the app would act for.
    public var account: String
    /// Whether any app has received a token for the service before.
    public var used: Bool
    /// The identifier for an answer, since several accounts may have the same service; `nil` from an older
    /// daemon.
    public var id: String?

    public init(name: String, link: String, host: String, account: String, used: Bool, id: String? = nil) {
        (self.name, self.link, self.host) = (name, link, host)
        (self.account, self.used, self.id) = (account, used, id)
    }

    /// The identifier to use in an answer.
    public var answer: String { id ?? link }
}

extension Sequence<ServiceChoice> {
    /// The services without duplicates, each by the first account that has it. A plain "allow" answer allows
    /// these.
    public var oncePerLink: [ServiceChoice] {
        var seen: Set<String> = []
        return filter { seen.insert($0.link).inserted }
    }
}
