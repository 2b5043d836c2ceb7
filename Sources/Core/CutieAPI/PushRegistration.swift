/// The body that registers the push token of this device with the API.
public struct PushRegistration: RequestBody {
    /// The platform of the device; always `linux` for this daemon.
    public var platform: String
    public var pushToken: PushToken
    public var bundleID: String?
    public var userID: String?
    public var appVersion: String?
    public var osVersion: String?
    public var deviceModel: String?

    public init(
        platform: String = "linux", pushToken: PushToken, bundleID: String? = nil, userID: String? = nil,
        appVersion: String? = nil, osVersion: String? = nil, deviceModel: String? = nil
    ) {
        self.platform = platform
        self.pushToken = pushToken
        self.bundleID = bundleID
        self.userID = userID
        self.appVersion = appVersion
        self.osVersion = osVersion
        self.deviceModel = deviceModel
    }

    private enum CodingKeys: String, CodingKey {
        case platform
        case pushToken = "push_token"
        case bundleID = "bundle_id"
        case userID = "user_id"
        case appVersion = "app_version"
        case osVersion = "os_version"
        case deviceModel = "device_model"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        platform = try container.decode(String.self, forKey: .platform)
        pushToken = try container.decode(PushToken.self, forKey: .pushToken)
        bundleID = container.decodeIfReadable(.bundleID)
        userID = container.decodeIfReadable(.userID)
        appVersion = container.decodeIfReadable(.appVersion)
        osVersion = container.decodeIfReadable(.osVersion)
        deviceModel = container.decodeIfReadable(.deviceModel)
    }
}

/// The body of the DELETE request that removes the push token.
public struct PushUnregistration: RequestBody {
    public var platform: String

    public init(platform: String = "linux") { self.platform = platform }
}

/// The token that identifies a device at a push service: 32 to 200 hexadecimal characters.
public struct PushToken: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    /// Creates a token; `nil` if `rawValue` has an invalid length or character.
    public init?(rawValue: String) {
        let bytes = rawValue.utf8
        guard (32...200).contains(bytes.count) else { return nil }
        guard bytes.allSatisfy({ Hexadecimal.hexValue(of: $0) != nil }) else { return nil }
        self.rawValue = rawValue
    }
}

extension PushToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "(push token)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
