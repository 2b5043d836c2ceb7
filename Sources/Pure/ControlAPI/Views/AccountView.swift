/// One App ID at one API address.
public struct AccountView: Codable, Hashable, Sendable {
    public var name: String
    public var state: ConnectionState
    /// `stream`, `long-poll`, `poll` or `none`.
    public var transport: String
    /// Why the transport is not a better one, or why the account is offline or stopped.
    public var reason: String?
    /// Unix milliseconds; nil where nothing is waited for, or nobody knows for how long.
    public var nextTryAt: Int64?
    public var apiUrl: String
    public var appId: String
    public var deviceId: String
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

    public init(
        name: String, state: ConnectionState, transport: String, reason: String? = nil,
        nextTryAt: Int64? = nil, apiUrl: String, appId: String, deviceId: String, badge: BadgeView,
        lastEventAt: Int64? = nil, heldBack: Bool? = nil, registration: String? = nil,
        inboxOf: String? = nil, outbox: Int = 0, outboxFailed: Int = 0, warnings: [String] = []
    ) {
        self.name = name
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
