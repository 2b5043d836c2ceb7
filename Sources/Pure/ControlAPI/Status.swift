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
        /// The reasons that hold notifications now, the most important first; `nil` from an older daemon.
        public var holds: [HoldView]?
        public var accounts: [AccountView]

        public init(
            version: String, state: ConnectionState, badge: BadgeView, sequence: Int64, outbox: Int,
            outboxFailed: Int = 0, notifications: Bool, paused: Bool, pausedUntil: Int64? = nil,
            `private`: Bool = false, notifier: NotifierView, holds: [HoldView]? = nil,
            accounts: [AccountView]
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
            self.accounts = accounts
        }
    }
}

/// How an account stands with its API; of the daemon, the least good of its accounts.
public enum ConnectionState: String, Codable, Sendable, CaseIterable {
    case starting, connecting, connected
    /// Retrying.
    case offline
    /// No device token yet.
    case unregistered
    /// Needs a person; the reason says for what.
    case stopped
}

/// Who speaks to the API.
public enum AccountKind: String, Codable, Sendable, CaseIterable {
    /// A person's device of an app.
    case device
    /// Somebody of the app's makers.
    case staff
    /// A person whom an institution knows.
    case identity
}

/// Whether the API takes an account for who it says it is.
public enum Authentication: String, Codable, Sendable, CaseIterable {
    case unknown
    /// It refused the account, and has not taken it since.
    case unauthenticated
    /// A device has a token, or needs none.
    case authenticated
}

/// One App ID at one API address.
public struct AccountView: Codable, Hashable, Sendable {
    /// The key of the configuration.
    public var name: String
    /// The name as a person reads it, such as the app's; `nil` if it is `name`.
    public var title: String?
    public var kind: AccountKind
    public var auth: Authentication
    /// What it may do; none for a device.
    public var scopes: [String]
    public var state: ConnectionState
    /// `stream`, `long-poll`, `poll` or `none`.
    public var transport: String
    /// Why the transport is not a better one, or why the account is offline or stopped.
    public var reason: String?
    /// Unix milliseconds; nil where nothing is waited for, or nobody knows for how long.
    public var nextTryAt: Int64?
    public var apiUrl: String
    /// Of a device.
    public var appId: String?
    /// Of a device.
    public var deviceId: String?
    public var badge: BadgeView
    /// Unix milliseconds.
    public var lastEventAt: Int64?
    /// The stream is offered, but nothing comes on it: something on the way buffers.
    public var heldBack: Bool?
    /// Why requests carry no device token although the API was asked for one.
    public var registration: String?
    /// The account that tells and counts for this one, as both are one inbox.
    public var inboxOf: String?
    /// How many of its items still wait to be sent.
    public var outbox: Int
    /// How many of them could not be sent, and need a person.
    public var outboxFailed: Int
    /// What works today and will need a person, each with what to do.
    public var warnings: [String]
    /// Values of the API's answers that could not be read since the start; `nil` for none.
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
    /// Its name and version.
    public var server: String?

    public init(available: Bool, server: String? = nil) {
        self.available = available
        self.server = server
    }
}

/// Reads the configuration again. A bad one is refused with InvalidConfiguration and the old one stays.
public struct Reload: ControlMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        public init() {}
    }
}

/// Drops the connections of one account, or of all, and starts again at once; what waits to be sent goes, too.
public struct Reconnect: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public init() {}
    }
}
