/// Offers another device a link (with `more`): first the token, then the same with how it ended.
public struct StartLink: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public typealias Reply = LinkView
}

/// Joins the inbox of the device that offered the token.
public struct ConfirmLink: ControlMethod {
    public var linkToken: String
    /// What this device is called there; nil: the host name.
    public var name: String?
    public var account: String?

    public init(linkToken: String, name: String? = nil, account: String? = nil) {
        self.linkToken = linkToken
        self.name = name
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var groupId: String?
        public var name: String

        public init(groupId: String? = nil, name: String) {
            self.groupId = groupId
            self.name = name
        }
    }
}

/// How far a link has come that this device offered or confirmed.
public struct LinkStatus: ControlMethod {
    public var linkToken: String
    public var account: String?

    public init(linkToken: String, account: String? = nil) {
        self.linkToken = linkToken
        self.account = account
    }

    public typealias Reply = LinkView
}

/// A link between two devices, by the token that one of them offered.
public struct LinkView: Codable, Hashable, Sendable {
    public var linkToken: String
    /// Unix milliseconds; nil where the service does not tell.
    public var expiresAt: Int64?
    /// `pending`, `confirmed` or `expired`.
    public var status: String
    /// The device that confirmed it.
    public var deviceName: String?

    public init(linkToken: String, expiresAt: Int64? = nil, status: String, deviceName: String? = nil) {
        self.linkToken = linkToken
        self.expiresAt = expiresAt
        self.status = status
        self.deviceName = deviceName
    }
}

/// The devices that share an inbox with this one, itself among them; none where it is alone.
public struct LinkedDevices: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var devices: [DeviceView]
        /// Accounts whose API did not answer, where others did.
        public var unanswered: [String]?

        public init(devices: [DeviceView], unanswered: [String]? = nil) {
            self.devices = devices
            self.unanswered = unanswered
        }
    }
}

/// Takes a device out of the shared inbox; this one leaves it, and what it had of it goes.
public struct RemoveDevice: ControlMethod {
    public var device: String
    public var account: String?

    public init(device: String, account: String? = nil) {
        self.device = device
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public init() {}
    }
}

/// A device in a shared inbox.
public struct DeviceView: Codable, Hashable, Sendable {
    public var account: String
    public var deviceId: String
    public var deviceName: String?
    /// Unix milliseconds.
    public var joinedAt: Int64?
    public var primary: Bool
    /// It is this one.
    public var current: Bool

    public init(
        account: String, deviceId: String, deviceName: String? = nil, joinedAt: Int64? = nil, primary: Bool,
        current: Bool
    ) {
        self.account = account
        self.deviceId = deviceId
        self.deviceName = deviceName
        self.joinedAt = joinedAt
        self.primary = primary
        self.current = current
    }
}
