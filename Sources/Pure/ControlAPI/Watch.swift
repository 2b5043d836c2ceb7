/// The log as it grows (with `more`): first a snapshot, whose sequence is the head, then every entry
/// after `since`, or after the head.
public struct Watch: ControlMethod {
    public var since: Int64?

    public init(since: Int64? = nil) {
        self.since = since
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var sequence: Int64
        /// An event of the API, `snapshot`, `state` (a connection, a pause, a question or the outbox changed: look
        /// again) or `reset`: `since` is not in the log any more.
        public var type: String
        /// Unix milliseconds.
        public var at: Int64
        public var account: String?
        public var conversation: String?
        public var message: String?
        /// After the snapshot its `conversations` holds only the one that the entry is about.
        public var badge: BadgeView?
        public var state: ConnectionState?
        public var data: LogDetails?

        public init(
            sequence: Int64, type: String, at: Int64, account: String? = nil, conversation: String? = nil,
            message: String? = nil, badge: BadgeView? = nil, state: ConnectionState? = nil,
            data: LogDetails? = nil
        ) {
            self.sequence = sequence
            self.type = type
            self.at = at
            self.account = account
            self.conversation = conversation
            self.message = message
            self.badge = badge
            self.state = state
            self.data = data
        }
    }
}

/// Details of a log entry: the message or the conversation it is about, the cause of a state, or the app that asked
/// for access.
public struct LogDetails: Codable, Hashable, Sendable {
    public var message: MessageView?
    public var conversation: ConversationView?
    public var transport: String?
    public var reason: String?
    /// The identity of an app in entries of type `access.`.
    public var app: String?
    public var appName: String?
    /// The names of the services that an app may use.
    public var services: [String]?

    public init(
        message: MessageView? = nil, conversation: ConversationView? = nil, transport: String? = nil,
        reason: String? = nil, app: String? = nil, appName: String? = nil, services: [String]? = nil
    ) {
        self.message = message
        self.conversation = conversation
        self.transport = transport
        self.reason = reason
        (self.app, self.appName, self.services) = (app, appName, services)
    }
}
