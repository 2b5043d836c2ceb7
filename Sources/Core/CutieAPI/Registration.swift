/// The body that registers a device.
public struct Registration: RequestBody {
    public var appID: String
    public var appVersion: String?
    public var osVersion: String?
    public var deviceModel: String?

    public init(
        appID: String, appVersion: String? = nil, osVersion: String? = nil, deviceModel: String? = nil
    ) {
        self.appID = appID
        self.appVersion = appVersion
        self.osVersion = osVersion
        self.deviceModel = deviceModel
    }

    private enum CodingKeys: String, CodingKey {
        case appID = "app_id"
        case appVersion = "app_version"
        case osVersion = "os_version"
        case deviceModel = "device_model"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        appID = try container.decode(String.self, forKey: .appID)
        appVersion = container.decodeIfReadable(.appVersion)
        osVersion = container.decodeIfReadable(.osVersion)
        deviceModel = container.decodeIfReadable(.deviceModel)
    }

    /// The response to a registration.
    public struct Response: Hashable, Sendable, Codable {
        public var deviceToken: DeviceToken
        public var tokenID: String?
        /// Whether the device was unknown to the server; `nil` if the server did not report it.
        public var isNew: Bool?

        public init(deviceToken: DeviceToken, tokenID: String? = nil, isNew: Bool? = nil) {
            self.deviceToken = deviceToken
            self.tokenID = tokenID
            self.isNew = isNew
        }

        private enum CodingKeys: String, CodingKey {
            case deviceToken = "device_token"
            case tokenID = "token_id"
            case isNew = "is_new"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            deviceToken = try container.decode(DeviceToken.self, forKey: .deviceToken)
            tokenID = container.decodeIDIfReadable(.tokenID)
            isNew = container.decodeIfReadable(.isNew)
        }
    }
}

/// The activity ping, which reports to the app's developer that this device is in use. The daemon sends the
/// ping only with the user's consent, and at most once per run.
public struct ActivityPing: RequestBody {
    /// 64 hexadecimal characters: the SHA-256 of the device ID and the bundle ID.
    public var hashedDeviceID: String
    public var consent: Bool
    /// The device facts that the configuration allows.
    public var device: DeviceFacts

    public init(hashedDeviceID: String, consent: Bool = true, device: DeviceFacts = DeviceFacts()) {
        self.hashedDeviceID = hashedDeviceID
        self.consent = consent
        self.device = device
    }

    private enum CodingKeys: String, CodingKey {
        case consent
        case hashedDeviceID = "hashed_device_id"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        hashedDeviceID = try container.decode(String.self, forKey: .hashedDeviceID)
        consent = container.decodeIfReadable(.consent) ?? false
        device = try DeviceFacts(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(hashedDeviceID, forKey: .hashedDeviceID)
        try container.encode(consent, forKey: .consent)
        try device.encode(to: encoder)
    }
}
