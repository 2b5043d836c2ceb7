/// The requests and responses that link two devices of one user, so that they share an inbox.
public enum Linking {
    public struct State: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let pending = State("pending")
        public static let confirmed = State("confirmed")
        public static let expired = State("expired")
    }

    /// A link that this device offers. The other device accepts the offer with the token.
    public struct Offer: Hashable, Sendable, Codable {
        public var linkToken: LinkToken
        public var expiresAt: Timestamp?
        /// The lifetime of the offer in seconds; `nil` if the server sent no lifetime.
        public var expiresIn: Int?
        public var hasExistingGroup: Bool

        public init(linkToken: LinkToken, expiresAt: Timestamp?, expiresIn: Int?, hasExistingGroup: Bool) {
            self.linkToken = linkToken
            self.expiresAt = expiresAt
            self.expiresIn = expiresIn
            self.hasExistingGroup = hasExistingGroup
        }

        private enum CodingKeys: String, CodingKey {
            case linkToken = "link_token"
            case expiresAt = "expires_at"
            case expiresIn = "expires_in"
            case hasExistingGroup = "has_existing_group"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            linkToken = try container.decode(LinkToken.self, forKey: .linkToken)
            expiresAt = container.decodeIfReadable(.expiresAt)
            expiresIn = container.decodeIfReadable(.expiresIn)
            hasExistingGroup = container.decodeIfReadable(.hasExistingGroup) ?? false
        }
    }

    /// The body that confirms a link. Contains the link token that the other device displays.
    public struct Confirmation: RequestBody {
        public var linkToken: LinkToken
        public var deviceName: String?

        public init(linkToken: LinkToken, deviceName: String? = nil) {
            self.linkToken = linkToken
            self.deviceName = deviceName
        }

        private enum CodingKeys: String, CodingKey {
            case linkToken = "link_token"
            case deviceName = "device_name"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            linkToken = try container.decode(LinkToken.self, forKey: .linkToken)
            deviceName = container.decodeIfReadable(.deviceName)
        }
    }

    /// The response to a confirmation.
    public struct Confirmed: Hashable, Sendable, Codable {
        public var success: Bool
        public var groupID: String?
        public var message: String?

        public init(success: Bool, groupID: String?, message: String?) {
            self.success = success
            self.groupID = groupID
            self.message = message
        }

        private enum CodingKeys: String, CodingKey {
            case success, message
            case groupID = "group_id"
        }

        /// Decodes the response. Treats a missing `success` as `true`, because the HTTP status already
        /// reports success.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            success = container.decodeIfReadable(.success) ?? true
            groupID = container.decodeIDIfReadable(.groupID)
            message = container.decodeIfReadable(.message)
        }
    }

    /// The state of an offered link.
    public struct Progress: Hashable, Sendable, Codable {
        public var status: State
        public var linkToken: LinkToken?
        public var groupID: String?
        public var targetDeviceName: String?
        public var confirmedAt: Timestamp?
        public var expiresAt: Timestamp?

        public init(
            status: State, linkToken: LinkToken? = nil, groupID: String? = nil,
            targetDeviceName: String? = nil, confirmedAt: Timestamp? = nil, expiresAt: Timestamp? = nil
        ) {
            self.status = status
            self.linkToken = linkToken
            self.groupID = groupID
            self.targetDeviceName = targetDeviceName
            self.confirmedAt = confirmedAt
            self.expiresAt = expiresAt
        }

        private enum CodingKeys: String, CodingKey {
            case status
            case linkToken = "link_token"
            case groupID = "group_id"
            case targetDeviceName = "target_device_name"
            case confirmedAt = "confirmed_at"
            case expiresAt = "expires_at"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            status = try container.decode(State.self, forKey: .status)
            linkToken = container.decodeIfReadable(.linkToken)
            groupID = container.decodeIDIfReadable(.groupID)
            targetDeviceName = container.decodeIfReadable(.targetDeviceName)
            confirmedAt = container.decodeIfReadable(.confirmedAt)
            expiresAt = container.decodeIfReadable(.expiresAt)
        }
    }

    /// The devices that share the inbox.
    public struct Group: Hashable, Sendable, Codable {
        public var linked: Bool
        public var groupID: String?
        public var devices: [Member]

        public init(linked: Bool, groupID: String?, devices: [Member]) {
            self.linked = linked
            self.groupID = groupID
            self.devices = devices
        }

        private enum CodingKeys: String, CodingKey {
            case linked, devices
            case groupID = "group_id"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            linked = try container.decodeRequiredFlag(.linked)
            groupID = container.decodeIDIfReadable(.groupID)
            devices = container.decodeListIfReadable(.devices) ?? []
        }
    }

    /// A device in a shared inbox.
    public struct Member: Hashable, Sendable, Codable {
        public var deviceID: DeviceID
        public var deviceName: String?
        public var joinedAt: Timestamp?
        public var isPrimary: Bool
        /// Whether this member is the device that sent the request.
        public var isCurrent: Bool

        public init(
            deviceID: DeviceID, deviceName: String?, joinedAt: Timestamp?, isPrimary: Bool, isCurrent: Bool
        ) {
            self.deviceID = deviceID
            self.deviceName = deviceName
            self.joinedAt = joinedAt
            self.isPrimary = isPrimary
            self.isCurrent = isCurrent
        }

        private enum CodingKeys: String, CodingKey {
            case deviceID = "device_id"
            case deviceName = "device_name"
            case joinedAt = "joined_at"
            case isPrimary = "is_primary"
            case isCurrent = "is_current"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            deviceID = try container.decode(DeviceID.self, forKey: .deviceID)
            deviceName = container.decodeIfReadable(.deviceName)
            joinedAt = container.decodeIfReadable(.joinedAt)
            isPrimary = container.decodeIfReadable(.isPrimary) ?? false
            isCurrent = container.decodeIfReadable(.isCurrent) ?? false
        }
    }

    /// The response to the removal of a device.
    public struct Removed: Hashable, Sendable, Codable {
        public var success: Bool
        public var message: String?

        public init(success: Bool, message: String?) {
            self.success = success
            self.message = message
        }

        private enum CodingKeys: String, CodingKey {
            case success, message
        }

        /// Decodes the response. Treats a missing `success` as `true`, because the HTTP status already
        /// reports success.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            success = container.decodeIfReadable(.success) ?? true
            message = container.decodeIfReadable(.message)
        }
    }
}
