/// How two devices of one person come to share an inbox.
public enum Linking {
    public struct State: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let pending = State("pending")
        public static let confirmed = State("confirmed")
        public static let expired = State("expired")
    }

    /// What the other device needs, and until when.
    public struct Offer: Hashable, Sendable, Codable {
        public var linkToken: LinkToken
        public var expiresAt: Timestamp?
        /// Seconds.
        public var expiresIn: Int?
        public var hasExistingGroup: Bool

        public init(linkToken: LinkToken, expiresAt: Timestamp?, expiresIn: Int?, hasExistingGroup: Bool) {
            self.linkToken = linkToken
            self.expiresAt = expiresAt
            self.expiresIn = expiresIn
            self.hasExistingGroup = hasExistingGroup
        }

        enum CodingKeys: String, CodingKey {
            case linkToken = "link_token"
            case expiresAt = "expires_at"
            case expiresIn = "expires_in"
            case hasExistingGroup = "has_existing_group"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            linkToken = try container.decode(LinkToken.self, forKey: .linkToken)
            expiresAt = container.lenient(.expiresAt)
            expiresIn = container.lenient(.expiresIn)
            hasExistingGroup = container.lenient(.hasExistingGroup) ?? false
        }
    }

    public struct Confirmation: RequestBody {
        public var linkToken: LinkToken
        public var deviceName: String?

        public init(linkToken: LinkToken, deviceName: String? = nil) {
            self.linkToken = linkToken
            self.deviceName = deviceName
        }

        enum CodingKeys: String, CodingKey {
            case linkToken = "link_token"
            case deviceName = "device_name"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            linkToken = try container.decode(LinkToken.self, forKey: .linkToken)
            deviceName = container.lenient(.deviceName)
        }
    }
}
