import CutieAPI
import Reasons

/// A rule for messages. The rule applies if all of its conditions match.
public struct Rule: Hashable, Sendable {
    public var match = Match()
    public var then = Outcome()

    public init() {}

    /// The conditions of a rule. A list matches if it contains the message's value, or if it is empty.
    public struct Match: Hashable, Sendable {
        /// `category`, `priority` and `status` contain values of the API, such as `bug`.
        public var category: [String] = []
        public var priority: [String] = []
        public var status: [String] = []
        /// App IDs or app names.
        public var app: [String] = []
        /// Conversation IDs.
        public var conversation: [String] = []
        /// Sender IDs or names.
        public var sender: [String] = []
    }

    /// The settings that a rule changes; `nil` for each setting that the rule does not change.
    public struct Outcome: Hashable, Sendable {
        public var show: Visibility?
        public var urgency: Urgency?
        public var sound: NotificationConfiguration.Sound?
    }

    /// The visibility of a message.
    public enum Visibility: String, CaseIterable, Sendable {
        case notify = "true"
        /// The message causes no notification, but is stored in the history, counts in the badge and starts
        /// the hook.
        case silent
        /// The message is only stored in the history: no notification, badge or hook.
        case ignore
    }

    /// The urgency of a notification, as defined by the notification specification.
    public enum Urgency: String, CaseIterable, Sendable {
        case low, normal, critical
    }

    init(_ value: ConfigurationScalar) throws(ConfigurationError) {
        let section = try ConfigurationSection(value, keys: ["match", "then"])
        if let match = try section.readSection(forKey: "match", knownKeys: Match.keys) {
            self.match = try Match(match)
        }
        guard let then = try section.readSection(forKey: "then", knownKeys: ["show", "urgency", "sound"])
        else {
            throw value.makeError(code: .ruleWithoutEffect)
        }
        self.then = try Outcome(then)
    }
}

extension Rule.Match {
    static let keys = ["category", "priority", "status", "app", "conversation", "sender"]

    fileprivate init(_ section: ConfigurationSection) throws(ConfigurationError) {
        category = try section["category"]?.parseWords(among: Category.known.map(\.rawValue)) ?? []
        priority = try section["priority"]?.parseWords(among: Priority.known.map(\.rawValue)) ?? []
        status = try section["status"]?.parseWords(among: Status.known.map(\.rawValue)) ?? []
        app = try section["app"]?.parseWords() ?? []
        conversation = try section["conversation"]?.parseWords() ?? []
        sender = try section["sender"]?.parseWords() ?? []
    }
}

extension Rule.Outcome {
    fileprivate init(_ section: ConfigurationSection) throws(ConfigurationError) {
        if let value = section["show"] { show = try value.parseVisibility() }
        if let value = section["urgency"] { urgency = try value.parseEnumValue() }
        sound = try section["sound"]?.parseSound()
    }
}

extension ConfigurationScalar {
    fileprivate func parseVisibility() throws(ConfigurationError) -> Rule.Visibility {
        if let flag = try? parseFlag() { return flag ? .notify : .silent }
        return try parseEnumValue()
    }

    /// Returns the words of a single value or of a list.
    ///
    /// - Parameter knownWords: the valid words; empty if any word is valid. An unknown word is an error,
    ///   because a rule with a misspelled word would never match.
    fileprivate func parseWords(among knownWords: [String] = []) throws(ConfigurationError) -> [String] {
        var words: [String] = []
        for value in isList ? try parseList() : [self] {
            guard let word = try value.parseNonEmptyText() else {
                throw value.makeError(code: .valueEmpty)
            }
            if !knownWords.isEmpty, !knownWords.contains(word) {
                throw value.unknownValueError(for: word, allowedValues: knownWords)
            }
            words.append(word)
        }
        return words
    }
}
