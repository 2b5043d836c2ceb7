/// A link between two devices, by the token that one of them offered.
public struct LinkView: Codable, Hashable, Sendable {
    public var linkToken: String
    /// Unix milliseconds; nil where the service does not tell.
    public var expiresAt: Int64?
    /// `pending`, `confirmed` or `expired`.
    public var status: String
    /// The device that confirmed it.
    public var deviceName: String?

    public init(linkToken: String, expiresAt: Int64? = nil, status: String, deviceName: String? = nil) {
        self.linkToken = linkToken
        self.expiresAt = expiresAt
        self.status = status
        self.deviceName = deviceName
    }
}
