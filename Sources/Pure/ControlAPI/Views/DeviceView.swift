/// A device in a shared inbox.
public struct DeviceView: Codable, Hashable, Sendable {
    public var account: String
    public var deviceId: String
    public var deviceName: String?
    /// Unix milliseconds.
    public var joinedAt: Int64?
    public var primary: Bool
    /// It is this one.
    public var current: Bool

    public init(
        account: String, deviceId: String, deviceName: String? = nil, joinedAt: Int64? = nil, primary: Bool,
        current: Bool
    ) {
        self.account = account
        self.deviceId = deviceId
        self.deviceName = deviceName
        self.joinedAt = joinedAt
        self.primary = primary
        self.current = current
    }
}
