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
}
