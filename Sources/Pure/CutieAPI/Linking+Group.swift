extension Linking {
    /// The devices that share this inbox.
    public struct Group: Hashable, Sendable, Codable {
        public var linked: Bool
        public var groupID: String?
        public var devices: [Member]

        public init(linked: Bool, groupID: String?, devices: [Member]) {
            self.linked = linked
            self.groupID = groupID
            self.devices = devices
        }

        enum CodingKeys: String, CodingKey {
            case linked, devices
            case groupID = "group_id"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            linked = try container.decode(Bool.self, forKey: .linked)
            groupID = container.lenient(.groupID)
            devices = container.lenientList(.devices) ?? []
        }
    }

    public struct Member: Hashable, Sendable, Codable {
        public var deviceID: DeviceID
        public var deviceName: String?
        public var joinedAt: Timestamp?
        public var isPrimary: Bool
        /// The device that asks.
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

        enum CodingKeys: String, CodingKey {
            case deviceID = "device_id"
            case deviceName = "device_name"
            case joinedAt = "joined_at"
            case isPrimary = "is_primary"
            case isCurrent = "is_current"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            deviceID = try container.decode(DeviceID.self, forKey: .deviceID)
            deviceName = container.lenient(.deviceName)
            joinedAt = container.lenient(.joinedAt)
            isPrimary = container.lenient(.isPrimary) ?? false
            isCurrent = container.lenient(.isCurrent) ?? false
        }
    }

    public struct Removed: Hashable, Sendable, Codable {
        public var success: Bool
        public var message: String?

        public init(success: Bool, message: String?) {
            self.success = success
            self.message = message
        }

        enum CodingKeys: String, CodingKey {
            case success, message
        }

        /// A successful status says as much as `success` does.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            success = container.lenient(.success) ?? true
            message = container.lenient(.message)
        }
    }
}
