/// The devices that share an inbox with this one, itself among them; none where it is alone.
public struct LinkedDevices: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var devices: [DeviceView]
        /// Accounts whose API did not answer, where others did.
        public var unanswered: [String]?

        public init(devices: [DeviceView], unanswered: [String]? = nil) {
            self.devices = devices
            self.unanswered = unanswered
        }
    }
}
