import CutieAPI

/// What to do with the messages it matches. Every condition that is there must hold.
public struct Rule: Hashable, Sendable {
    public var match = Match()
    public var then = Outcome()

    public init() {}

    /// Each condition is a list of which one must fit; an empty list fits everything.
    public struct Match: Hashable, Sendable {
        /// The wire's words.
        public var category: [String] = []
        public var priority: [String] = []
        public var status: [String] = []
        /// An App ID or the app's name.
        public var app: [String] = []
        /// Conversation ids.
        public var conversation: [String] = []
        /// A sender's id or name.
        public var sender: [String] = []
    }

    /// nil: as without the rule.
    public struct Outcome: Hashable, Sendable {
        public var show: Show?
        public var urgency: Urgency?
        public var sound: NotificationConfiguration.Sound?
    }

    public enum Show: String, CaseIterable, Sendable {
        case popUp = "true"
        /// No pop-up; badge, history and hooks go on.
        case silent
        /// Only the history goes on.
        case ignore
    }

    public enum Urgency: String, CaseIterable, Sendable {
        case low, normal, critical
    }

    init(_ value: Value) throws(ConfigurationError) {
        let section = try Section(value, keys: ["match", "then"])
        if let match = try section.section("match", keys: Match.keys) { self.match = try Match(match) }
        guard let then = try section.section("then", keys: ["show", "urgency", "sound"]) else {
            throw value.error("does nothing; write then: with show, urgency or sound")
        }
        self.then = try Outcome(then)
    }
}

extension Rule.Match {
    static let keys = ["category", "priority", "status", "app", "conversation", "sender"]

    fileprivate init(_ section: Section) throws(ConfigurationError) {
        category = try section["category"]?.words(among: Category.known.map(\.rawValue)) ?? []
        priority = try section["priority"]?.words(among: Priority.known.map(\.rawValue)) ?? []
        status = try section["status"]?.words(among: Status.known.map(\.rawValue)) ?? []
        app = try section["app"]?.words() ?? []
        conversation = try section["conversation"]?.words() ?? []
        sender = try section["sender"]?.words() ?? []
    }
}

extension Rule.Outcome {
    fileprivate init(_ section: Section) throws(ConfigurationError) {
        if let value = section["show"] { show = try value.show() }
        if let value = section["urgency"] { urgency = try value.word() }
        sound = try section["sound"]?.sound()
    }
}

extension Value {
    fileprivate func show() throws(ConfigurationError) -> Rule.Show {
        if let flag = try? flag() { return flag ? .popUp : .silent }
        return try word()
    }

    /// Returns one text or a list of them. `known`: the only words that can match; empty if any text can. A rule with
    /// another word would never match, and the person would not notice.
    fileprivate func words(among known: [String] = []) throws(ConfigurationError) -> [String] {
        var words: [String] = []
        for value in isList ? try list() : [self] {
            guard let word = try value.nonEmptyText() else { throw value.error("is empty; write a text") }
            if !known.isEmpty, !known.contains(word) {
                throw value.unknownWord(word, of: known)
            }
            words.append(word)
        }
        return words
    }
}
