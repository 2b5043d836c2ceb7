/// The selection of device facts that are sent with activity pings and new conversations.
public enum DeviceContext: Hashable, Sendable {
    case none
    /// Only the app's version.
    case minimal
    /// The language, the country, and the versions of the app and the system.
    case standard
    case all
    case fields(Set<Field>)

    /// A device fact; the raw value is its name in the API and in the configuration.
    public enum Field: String, Hashable, Sendable, CaseIterable, Codable {
        case language, country
        case appVersion = "app_version"
        case osVersion = "os_version"
        case deviceModel = "device_model"
    }

    /// Creates the selection with the name `tier`: `none`, `minimal`, `standard` or `all`; `nil` for any
    /// other name.
    public init?(tier: String) {
        switch tier {
        case "none": self = .none
        case "minimal": self = .minimal
        case "standard": self = .standard
        case "all": self = .all
        default: return nil
        }
    }

    public var fields: Set<Field> {
        switch self {
        case .none: []
        case .minimal: [.appVersion]
        case .standard: [.language, .country, .appVersion, .osVersion]
        case .all: Set(Field.allCases)
        case .fields(let fields): fields
        }
    }

    /// Returns only the facts that may be sent.
    public func allowedFacts(in facts: DeviceFacts) -> DeviceFacts {
        let allowed = fields
        return DeviceFacts(
            language: allowed.contains(.language) ? facts.language : nil,
            country: allowed.contains(.country) ? facts.country : nil,
            appVersion: allowed.contains(.appVersion) ? facts.appVersion : nil,
            osVersion: allowed.contains(.osVersion) ? facts.osVersion : nil,
            deviceModel: allowed.contains(.deviceModel) ? facts.deviceModel : nil)
    }
}

/// Facts about the device, with the keys that request bodies use.
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

    private enum CodingKeys: String, CodingKey {
        case language, country
        case appVersion = "app_version"
        case osVersion = "os_version"
        case deviceModel = "device_model"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        language = container.decodeIfReadable(.language)
        country = container.decodeIfReadable(.country)
        appVersion = container.decodeIfReadable(.appVersion)
        osVersion = container.decodeIfReadable(.osVersion)
        deviceModel = container.decodeIfReadable(.deviceModel)
    }
}
