/// Registers the address at which a push service reaches this device.
public struct RegisterPush: ControlMethod {
    /// 32 to 200 hexadecimal characters.
    public var token: String
    public var account: String?

    public init(token: String, account: String? = nil) {
        self.token = token
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// Whether the registration is stored, but still pending on the server.
        public var queued: Bool

        public init(queued: Bool) {
            self.queued = queued
        }
    }
}

/// Removes the address of the push service.
public struct UnregisterPush: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// Whether the removal is stored, but still pending on the server.
        public var queued: Bool

        public init(queued: Bool) {
            self.queued = queued
        }
    }
}

/// Returns the addresses of push services, as stored on this device. Works offline.
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

/// Processes a push payload and fetches the messages that it announces.
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
        /// The number of new messages.
        public var arrived: Int
        /// Whether the API was unreachable. New messages are then fetched with the next connection.
        public var queued: Bool

        public init(conversationId: String? = nil, arrived: Int, queued: Bool) {
            self.conversationId = conversationId
            self.arrived = arrived
            self.queued = queued
        }
    }
}

/// The push registration of an account's device.
public struct PushRegistrationView: Codable, Hashable, Sendable {
    public var account: String
    /// `none`, `waiting` (for the API), `registered`, `refused` or `leaving`.
    public var state: String
    /// The last eight characters of the token.
    public var tokenEnd: String?
    /// Unix milliseconds. The time when the server accepted the registration.
    public var registeredAt: Int64?
    /// The reason why the registration is still pending on the server.
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
