/// What a person asked for: the config file with the environment over it, every value checked.
/// Without an App ID there are no accounts: that is a state to tell of, not an error of the file.
public struct Configuration: Hashable, Sendable {
    /// In the order of the file; names are unique.
    public var accounts: [AccountConfiguration] = []
    public var history = History()
    public var notifications = NotificationConfiguration()
    /// The argv that opens a conversation, run with the link as one more argument; nil: the desktop's handler.
    public var opener: [String]?
    /// Whether a conversation that was opened is marked read once it is shown.
    public var openMarksRead = true
    /// The first that matches decides.
    public var rules: [Rule] = []
    public var hooks = Hooks()
    public var secrets = SecretStorage.auto
    /// Whether questions to the person pop up; else they wait in `cutied ctl questions`.
    public var questions = true
    /// nil: not said, the program decides.
    public var logLevel: LogLevel?

    public init() {}

    public struct History: Hashable, Sendable {
        /// Messages older than this are forgotten.
        public var days = 365
    }

    public struct Hooks: Hashable, Sendable {
        /// The argv run for each reply, with the event's JSON on standard input.
        public var onReply: [String]?
    }

    /// Where tokens and keys are kept.
    public enum SecretStorage: String, CaseIterable, Sendable {
        case auto, file
        case secretService = "secret-service"
    }

    /// The levels of swift-log.
    public enum LogLevel: String, CaseIterable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    /// What to type when there is no account.
    public static let unconfigured =
        "no App ID is configured; run `cutied setup`, or set CUTIED_APP_ID"

    /// What a file may hold, in bytes.
    public static let sizeLimit = 1 << 20
}
