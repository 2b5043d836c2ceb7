/// The state of the daemon: connections, badge, queue, pop-ups.
public struct GetStatus: ControlMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        public var version: String
        public var state: ConnectionState
        public var badge: BadgeView
        /// The head of the log.
        public var sequence: Int64
        /// How many items still wait to be sent.
        public var outbox: Int
        /// How many could not be sent, and need a person.
        public var outboxFailed: Int
        public var notifications: Bool
        public var paused: Bool
        /// Unix milliseconds; nil while paused: until resumed.
        public var pausedUntil: Int64?
        /// The pause only lowers the preview.
        public var `private`: Bool
        public var notifier: NotifierView
        public var accounts: [AccountView]

        public init(
            version: String, state: ConnectionState, badge: BadgeView, sequence: Int64, outbox: Int,
            outboxFailed: Int = 0, notifications: Bool, paused: Bool, pausedUntil: Int64? = nil,
            `private`: Bool = false, notifier: NotifierView, accounts: [AccountView]
        ) {
            self.version = version
            self.state = state
            self.badge = badge
            self.sequence = sequence
            self.outbox = outbox
            self.outboxFailed = outboxFailed
            self.notifications = notifications
            self.paused = paused
            self.pausedUntil = pausedUntil
            self.private = `private`
            self.notifier = notifier
            self.accounts = accounts
        }
    }
}
