/// The request bodies and responses with which an app hands its account over to the Feedback App.
public enum FeedbackApp {
    /// The body with which an app requests a token.
    public struct Host: RequestBody {
        public var deviceID: DeviceID
        public var appID: String

        public init(deviceID: DeviceID, appID: String) {
            self.deviceID = deviceID
            self.appID = appID
        }

        private enum CodingKeys: String, CodingKey {
            case deviceID = "device_id"
            case appID = "app_id"
        }
    }

    /// The response with the requested token. Decoding throws if the token is missing.
    public struct Pass: Hashable, Sendable, Codable {
        public var token: FeedbackToken

        public init(token: FeedbackToken) { self.token = token }
    }

    /// The app that a token belongs to.
    public struct Preview: Hashable, Sendable, Codable {
        public var appID: String
        /// The name of the app; `nil` if the server sent no name.
        public var appName: String?

        public init(appID: String, appName: String?) {
            self.appID = appID
            self.appName = appName
        }

        private enum CodingKeys: String, CodingKey {
            case appID = "app_id"
            case appName = "app_name"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            appID = try container.decodeRequiredID(.appID)
            appName = container.decodeIfReadable(.appName)
        }
    }

    /// The body with which the Feedback App exchanges a token.
    public struct Redemption: RequestBody {
        public var token: FeedbackToken

        public init(token: FeedbackToken) { self.token = token }
    }

    /// The account for which the token was created.
    public struct Account: Hashable, Sendable, Codable {
        public var appID: String
        public var appName: String?
        public var deviceID: DeviceID
        public var groupID: String?

        public init(appID: String, appName: String? = nil, deviceID: DeviceID, groupID: String?) {
            self.appID = appID
            self.appName = appName
            self.deviceID = deviceID
            self.groupID = groupID
        }

        private enum CodingKeys: String, CodingKey {
            case appID = "app_id"
            case appName = "app_name"
            case deviceID = "device_id"
            case groupID = "group_id"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            appID = try container.decodeRequiredID(.appID)
            appName = container.decodeIfReadable(.appName)
            deviceID = try container.decode(DeviceID.self, forKey: .deviceID)
            groupID = container.decodeIDIfReadable(.groupID)
        }
    }
}
