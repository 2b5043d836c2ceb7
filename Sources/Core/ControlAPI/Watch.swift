/// Streams the log (with `more`). The first reply is a snapshot, whose sequence is that of the newest entry.
/// All entries after `since` follow, or all new ones if `since` is `nil`.
public struct Watch: ControlMethod {
    public var since: Int64?

    public init(since: Int64? = nil) {
        self.since = since
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var sequence: Int64
        /// An event of the API, `snapshot`, `state` (a connection, a pause, a question or the outbox changed:
        /// query it again) or `reset` (the entries after `since` were pruned).
        public var type: String
        /// Unix milliseconds.
        public var at: Int64
        public var account: String?
        public var conversation: String?
        public var message: String?
        /// In entries after the snapshot, `conversations` contains only the conversation of the entry.
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

/// Details of a log entry: its message or conversation, the cause of a state, or the app that requested
/// access.
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
