/// Offers a link to another device (with `more`). The first reply has the token, the second one the result.
public struct StartLink: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public typealias Reply = LinkView
}

/// Joins the inbox of the device that created the token.
public struct ConfirmLink: ControlMethod {
    public var linkToken: String
    /// The name of this device in the shared inbox; `nil` for the host name.
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

/// Returns the progress of a link that this device offered or confirmed.
public struct LinkStatus: ControlMethod {
    public var linkToken: String
    public var account: String?

    public init(linkToken: String, account: String? = nil) {
        self.linkToken = linkToken
        self.account = account
    }

    public typealias Reply = LinkView
}

/// A link between two devices, identified by the token that one of them offered.
public struct LinkView: Codable, Hashable, Sendable {
    public var linkToken: String
    /// Unix milliseconds; `nil` if the service does not report it.
    public var expiresAt: Int64?
    /// `pending`, `confirmed` or `expired`.
    public var status: String
    /// The name of the device that confirmed the link.
    public var deviceName: String?

    public init(linkToken: String, expiresAt: Int64? = nil, status: String, deviceName: String? = nil) {
        self.linkToken = linkToken
        self.expiresAt = expiresAt
        self.status = status
        self.deviceName = deviceName
    }
}

/// Returns the devices that share an inbox with this one, including itself; empty if the inbox is not shared.
public struct LinkedDevices: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var devices: [DeviceView]
        /// The accounts whose API did not respond, if others did.
        public var unanswered: [String]?

        public init(devices: [DeviceView], unanswered: [String]? = nil) {
            self.devices = devices
            self.unanswered = unanswered
        }
    }
}

/// Removes a device from the shared inbox. If it is this device, its data of that inbox is deleted.
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
    /// Whether this is the current device.
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
