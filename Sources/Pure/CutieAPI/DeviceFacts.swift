/// What a device may tell of itself. Has the keys of the bodies it goes into.
public struct DeviceFacts: Hashable, Sendable, Codable {
    public var language: String?
    public var country: String?
    public var appVersion: String?
    public var osVersion: String?
    public var deviceModel: String?

    public init(
        language: String? = nil, country: String? = nil, appVersion: String? = nil,
        osVersion: String? = nil, deviceModel: String? = nil
    ) {
        self.language = language
        self.country = country
        self.appVersion = appVersion
        self.osVersion = osVersion
        self.deviceModel = deviceModel
    }

    enum CodingKeys: String, CodingKey {
        case language, country
        case appVersion = "app_version"
        case osVersion = "os_version"
        case deviceModel = "device_model"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        language = container.lenient(.language)
        country = container.lenient(.country)
        appVersion = container.lenient(.appVersion)
        osVersion = container.lenient(.osVersion)
        deviceModel = container.lenient(.deviceModel)
    }
}
