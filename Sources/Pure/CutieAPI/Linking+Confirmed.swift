extension Linking {
    public struct Confirmed: Hashable, Sendable, Codable {
        public var success: Bool
        public var groupID: String?
        public var message: String?

        public init(success: Bool, groupID: String?, message: String?) {
            self.success = success
            self.groupID = groupID
            self.message = message
        }

        enum CodingKeys: String, CodingKey {
            case success, message
            case groupID = "group_id"
        }

        /// A successful status says as much as `success` does.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            success = container.lenient(.success) ?? true
            groupID = container.lenient(.groupID)
            message = container.lenient(.message)
        }
    }

    /// How far an offered link has come.
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

        enum CodingKeys: String, CodingKey {
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
            linkToken = container.lenient(.linkToken)
            groupID = container.lenient(.groupID)
            targetDeviceName = container.lenient(.targetDeviceName)
            confirmedAt = container.lenient(.confirmedAt)
            expiresAt = container.lenient(.expiresAt)
        }
    }
}
