/// Makes a device known to the service.
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

    enum CodingKeys: String, CodingKey {
        case appID = "app_id"
        case appVersion = "app_version"
        case osVersion = "os_version"
        case deviceModel = "device_model"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        appID = try container.decode(String.self, forKey: .appID)
        appVersion = container.lenient(.appVersion)
        osVersion = container.lenient(.osVersion)
        deviceModel = container.lenient(.deviceModel)
    }
}

extension Registration {
    public struct Answer: Hashable, Sendable, Codable {
        public var deviceToken: DeviceToken
        public var tokenID: String?
        /// The service had not seen this device before.
        public var isNew: Bool?

        public init(deviceToken: DeviceToken, tokenID: String? = nil, isNew: Bool? = nil) {
            self.deviceToken = deviceToken
            self.tokenID = tokenID
            self.isNew = isNew
        }

        enum CodingKeys: String, CodingKey {
            case deviceToken = "device_token"
            case tokenID = "token_id"
            case isNew = "is_new"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            deviceToken = try container.decode(DeviceToken.self, forKey: .deviceToken)
            tokenID = container.lenient(.tokenID)
            isNew = container.lenient(.isNew)
        }
    }
}
