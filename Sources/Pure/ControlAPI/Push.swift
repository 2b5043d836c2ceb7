/// Names the address under which a push service reaches this device.
public struct RegisterPush: ControlMethod {
    /// 32 to 200 hexadecimal characters.
    public var token: String
    public var account: String?

    public init(token: String, account: String? = nil) {
        self.token = token
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// Kept, but the server does not know yet.
        public var queued: Bool

        public init(queued: Bool) {
            self.queued = queued
        }
    }
}

/// Takes the address of the push service back.
public struct UnregisterPush: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// Kept, but the server does not know yet.
        public var queued: Bool

        public init(queued: Bool) {
            self.queued = queued
        }
    }
}

/// The addresses of push services, as this device knows them; works offline.
public struct PushStatus: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var registrations: [PushRegistrationView]

        public init(registrations: [PushRegistrationView]) {
            self.registrations = registrations
        }
    }
}

/// Takes what a push service brought: fetches what it tells of.
public struct DeliverPush: ControlMethod {
    /// JSON, at most 64 KiB.
    public var payload: String
    public var account: String?

    public init(payload: String, account: String? = nil) {
        self.payload = payload
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var conversationId: String?
        /// Messages that were not here before.
        public var arrived: Int
        /// The API could not be asked yet; what is new is fetched with the next connection.
        public var queued: Bool

        public init(conversationId: String? = nil, arrived: Int, queued: Bool) {
            self.conversationId = conversationId
            self.arrived = arrived
            self.queued = queued
        }
    }
}

/// Where a push service reaches the device of an account.
public struct PushRegistrationView: Codable, Hashable, Sendable {
    public var account: String
    /// `none`, `waiting` (for the API), `registered`, `refused` or `leaving`.
    public var state: String
    /// The last eight characters of the token.
    public var tokenEnd: String?
    /// When the server took it, Unix milliseconds.
    public var registeredAt: Int64?
    /// Why the server does not know yet.
    public var reason: String?

    public init(
        account: String, state: String, tokenEnd: String? = nil, registeredAt: Int64? = nil,
        reason: String? = nil
    ) {
        self.account = account
        self.state = state
        self.tokenEnd = tokenEnd
        self.registeredAt = registeredAt
        self.reason = reason
    }
}
