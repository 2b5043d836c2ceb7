/// Returns the state of the daemon: connections, badge, outbox, notifications.
public struct GetStatus: ControlMethod {
    /// Whether to return the number of each conversation that counts in the badge.
    public var conversations: Bool?

    public init(conversations: Bool? = nil) { self.conversations = conversations }

    public struct Reply: Codable, Hashable, Sendable {
        public var version: String
        public var state: ConnectionState
        public var badge: BadgeView
        /// The sequence of the newest log entry.
        public var sequence: Int64
        /// The number of pending outbox items.
        public var outbox: Int
        /// The number of failed outbox items, which require action by the user.
        public var outboxFailed: Int
        public var notifications: Bool
        public var paused: Bool
        /// Unix milliseconds; `nil` during a pause that lasts until `Resume`.
        public var pausedUntil: Int64?
        /// Whether the pause only hides names and text.
        public var `private`: Bool
        public var notifier: NotifierView
        /// The reasons that hold back notifications now, most important first; `nil` from an older daemon.
        public var holds: [HoldView]?
        /// The percentage of stored messages that a search finds while older ones are still being indexed after
        /// an upgrade; `nil` if all are indexed.
        public var indexing: Int?
        public var accounts: [AccountView]

        public init(
            version: String, state: ConnectionState, badge: BadgeView, sequence: Int64, outbox: Int,
            outboxFailed: Int = 0, notifications: Bool, paused: Bool, pausedUntil: Int64? = nil,
            `private`: Bool = false, notifier: NotifierView, holds: [HoldView]? = nil,
            indexing: Int? = nil, accounts: [AccountView]
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
            self.holds = holds
            self.indexing = indexing
            self.accounts = accounts
        }
    }
}

/// The connection state of an account. The daemon reports the worst state of its accounts.
public enum ConnectionState: String, Codable, Sendable, CaseIterable {
    case starting, connecting, connected
    /// Disconnected; a retry is scheduled.
    case offline
    /// There is no device token yet.
    case unregistered
    /// Stopped until the user acts; the reason describes the action.
    case stopped
}

/// The kind of client that an account is for the API.
public enum AccountKind: String, Codable, Sendable, CaseIterable {
    /// The device of an app's user.
    case device
    /// A member of the app maker's staff.
    case staff
    /// A user of an institution.
    case identity
}

/// Whether the API accepts the credentials of an account.
public enum Authentication: String, Codable, Sendable, CaseIterable {
    case unknown
    /// The API rejected the credentials and has not accepted them since.
    case unauthenticated
    /// The credentials are accepted. A device has a token, or needs none.
    case authenticated
}

/// An account: one App ID at one API address.
public struct AccountView: Codable, Hashable, Sendable {
    /// The key of the configuration.
    public var name: String
    /// The display name, such as the app's; `nil` if it equals `name`.
    public var title: String?
    public var kind: AccountKind
    public var auth: Authentication
    /// The granted scopes; empty for a device.
    public var scopes: [String]
    public var state: ConnectionState
    /// `stream`, `long-poll`, `poll` or `none`.
    public var transport: String
    /// The reason for a transport that is not the best one, or for the state `offline` or `stopped`.
    public var reason: String?
    /// Unix milliseconds. The time of the next retry; `nil` if none is scheduled or the time is unknown.
    public var nextTryAt: Int64?
    public var apiUrl: String
    /// Only for a device.
    public var appId: String?
    /// Only for a device.
    public var deviceId: String?
    public var badge: BadgeView
    /// Unix milliseconds.
    public var lastEventAt: Int64?
    /// Whether the stream is open but delivers nothing because an intermediary buffers it.
    public var heldBack: Bool?
    /// The reason why requests have no device token although one was requested from the API.
    public var registration: String?
    /// The account that displays and counts the replies of this one, because the accounts share one inbox.
    public var inboxOf: String?
    /// The number of pending outbox items of the account.
    public var outbox: Int
    /// The number of failed outbox items of the account, which require action by the user.
    public var outboxFailed: Int
    /// Problems that will require action by the user later, with advice.
    public var warnings: [String]
    /// The number of values in API responses that could not be decoded since the start; `nil` for none.
    public var unreadable: Int?

    public init(
        name: String, title: String? = nil, kind: AccountKind = .device, auth: Authentication = .unknown,
        scopes: [String] = [],
        state: ConnectionState, transport: String, reason: String? = nil, nextTryAt: Int64? = nil,
        apiUrl: String, appId: String? = nil, deviceId: String? = nil, badge: BadgeView,
        lastEventAt: Int64? = nil, heldBack: Bool? = nil, registration: String? = nil,
        inboxOf: String? = nil, outbox: Int = 0, outboxFailed: Int = 0, warnings: [String] = []
    ) {
        self.name = name
        self.title = title
        self.kind = kind
        self.auth = auth
        self.scopes = scopes
        self.state = state
        self.transport = transport
        self.reason = reason
        self.nextTryAt = nextTryAt
        self.apiUrl = apiUrl
        self.appId = appId
        self.deviceId = deviceId
        self.badge = badge
        self.lastEventAt = lastEventAt
        self.heldBack = heldBack
        self.registration = registration
        self.inboxOf = inboxOf
        self.outbox = outbox
        self.outboxFailed = outboxFailed
        self.warnings = warnings
    }
}

/// The notification server of the session.
public struct NotifierView: Codable, Hashable, Sendable {
    public var available: Bool
    /// The name and the version of the server.
    public var server: String?

    public init(available: Bool, server: String? = nil) {
        self.available = available
        self.server = server
    }
}

/// Reloads the configuration. An invalid one is rejected with `InvalidConfiguration`, and the old one stays
/// in effect.
public struct Reload: ControlMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        public init() {}
    }
}

/// Closes the connection of one account, or of all, and reconnects immediately. Pending outbox items are
/// sent, too.
public struct Reconnect: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public init() {}
    }
}
