/// Joins the inbox of the device that offered the token.
public struct ConfirmLink: ControlMethod {
    public var linkToken: String
    /// What this device is called there; nil: the host name.
    public var name: String?
    public var account: String?

    public init(linkToken: String, name: String? = nil, account: String? = nil) {
        self.linkToken = linkToken
        self.name = name
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var groupId: String?
        public var name: String

        public init(groupId: String? = nil, name: String) {
            self.groupId = groupId
            self.name = name
        }
    }
}
